//! Errors of the engine.

use super::damage;

/// The database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The schema version is unknown to this program. The database is left as it is.
    #[error(
        "the database has schema version {version}, but this program supports only versions up to {supported}: \
         {} wrote it; use that program, or restore a backup",
        other_program(.program.as_deref())
    )]
    UnsupportedVersion {
        /// The schema version of the database.
        version: i64,
        /// The latest schema version that this program supports.
        supported: i64,
        /// The version of the program that wrote the schema, if the database states it.
        program: Option<String>,
    },
    /// The file is a database with tables, but without a schema version.
    #[error(
        "{path} is a database of another program: specify another data folder, or move the file away"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// The database on the server has tables, but no schema version.
    #[error(
        "{database} has tables of another program: create an empty database and specify it with --store"
    )]
    ForeignServer {
        /// The database, without the password.
        database: String,
    },
    /// The file is damaged or not a database.
    #[error("{path} cannot be used: {problem}")]
    Unusable {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The server refuses the user or the database, or the user may not do what the store needs.
    #[error("{database} refuses the connection: {problem}")]
    Refused {
        /// The database, without the password.
        database: String,
        /// What is refused.
        problem: String,
    },
    /// The server cannot be reached, or has no free connection.
    #[error("{0}")]
    Unavailable(String),
    /// A statement of a migration failed.
    #[error("migration {version} failed: {problem}")]
    Migration {
        /// The version that the migration leads to.
        version: i64,
        /// The error of the engine.
        problem: StatementError,
    },
    /// Another statement failed while the database was opened.
    #[error(transparent)]
    Statement(StatementError),
}

/// A statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// A constraint was violated; the text is that of the engine.
    #[error("constraint violated: {0}")]
    Constraint(String),
    /// The disk is full or the file cannot be written.
    #[error("the disk is full or not writable: {0}")]
    Disk(String),
    /// A column has a value of another type than expected.
    #[error("column {column}: {problem}")]
    Column {
        /// The index of the column in the row, from 0.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// The database server cannot be reached, or has no free connection.
    #[error("the database server is not available: {0}")]
    Unavailable(String),
    /// The connection was lost during a commit, and the server could not be asked whether it has
    /// committed.
    #[error("it is unknown whether the write was committed: {0}")]
    UnknownCommit(String),
    /// The statement was stopped at its deadline.
    #[error("the statement took too long")]
    TimedOut,
    /// Any other error of the engine.
    #[error("database: {0}")]
    Engine(String),
}

impl StatementError {
    /// Logs a value that cannot be read, so that its row is left out; returns other errors.
    pub fn skip_damaged_row(self) -> Result<(), StatementError> {
        match self {
            Self::Column { problem, .. } => {
                damage::log(&problem);
                Ok(())
            }
            error => Err(error),
        }
    }

    /// Returns the error for one of several callers to whom a failure is reported.
    pub fn for_another_caller(&self) -> StatementError {
        match self {
            Self::Unavailable(problem) => Self::Unavailable(problem.clone()),
            Self::UnknownCommit(problem) => Self::UnknownCommit(problem.clone()),
            Self::Disk(problem) => Self::Disk(problem.clone()),
            Self::TimedOut => Self::TimedOut,
            Self::Constraint(problem) => Self::Constraint(problem.clone()),
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<OpenError> for StatementError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Unavailable(problem) | OpenError::Refused { problem, .. } => {
                Self::Unavailable(problem)
            }
            OpenError::Migration { problem, .. } | OpenError::Statement(problem) => problem,
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<StatementError> for OpenError {
    fn from(error: StatementError) -> Self {
        match error {
            StatementError::Unavailable(problem) => OpenError::Unavailable(problem),
            problem => OpenError::Statement(problem),
        }
    }
}

/// Returns how messages call the program that wrote a newer schema. A development version may have the
/// version number of this one, which would tell nothing.
pub(crate) fn other_program(version: Option<&str>) -> String {
    match version {
        Some(version) if version != env!("CARGO_PKG_VERSION") => format!("Quarry {version}"),
        _ => "a newer version of Quarry or a pre-release".to_owned(),
    }
}
