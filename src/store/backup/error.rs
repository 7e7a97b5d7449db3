//! Errors of backups.

use crate::StoreError;
use crate::engine::{OpenError, StatementError, other_program};
use std::io;
use std::path::Path;

/// Why a backup cannot be made, read or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store is empty.
    #[error("{0} has no records of Quarry")]
    NoRecords(String),
    /// The folder has files that are not of backups.
    #[error(
        "{folder} is not empty and has no backups of Quarry (it contains {entry}): specify a new folder"
    )]
    Foreign {
        /// The folder.
        folder: String,
        /// One of the entries.
        entry: String,
    },
    /// The folder has no backups.
    #[error("{0} has no backups of Quarry")]
    NoBackups(String),
    /// The folder has no backup with this name.
    #[error("{folder} has no backup {name}; `quarry backup list` lists them")]
    NoBackup {
        /// The folder.
        folder: String,
        /// The name.
        name: String,
    },
    /// The folder has backups of another store.
    #[error("{0} has backups of another store: specify another folder")]
    OtherStore(String),
    /// The folder is in the data folder, or the data folder in it.
    #[error(
        "the folder of the backups, {backups}, and the data folder, {data}, must not contain each other: specify another folder, \
         best on another disk"
    )]
    Nested {
        /// The folder of the backups.
        backups: String,
        /// The data folder.
        data: String,
    },
    /// Another process uses the folder.
    #[error(
        "{0} is in use: another backup, restore or check is running; try again when it has ended"
    )]
    InUse(String),
    /// The folder was written by a newer program.
    #[error("{0} was written by a newer version of Quarry: use that version")]
    NewerFormat(String),
    /// A file of a backup is damaged or missing.
    #[error("{file}: {problem}")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file with the passphrase cannot be used.
    #[error("the passphrase file {path}: {problem}")]
    PassphraseFile {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The secret of the backup is encrypted.
    #[error("{0} is encrypted: specify --passphrase-file")]
    NoPassphrase(String),
    /// The passphrase is wrong.
    #[error("{0} cannot be decrypted: the passphrase is wrong")]
    WrongPassphrase(String),
    /// The backup has no secret, and no other one was specified.
    #[error(
        "this backup has no secret: specify the file that was kept elsewhere with --secret-file, or create a new one with --new-secret; \
         with a new one, every API key, second factor and OAuth secret must be replaced"
    )]
    NoSecret,
    /// The secret is that of another store.
    #[error("{0} is not the secret of the store that was backed up")]
    OtherSecret(String),
    /// The target data folder has data.
    #[error(
        "{0} has data: specify a new or empty folder with --data, or replace the data with --force, which keeps them in a subfolder"
    )]
    NotEmpty(String),
    /// The target folder has files that are not of a data folder.
    #[error(
        "{folder} is not a data folder of Quarry: it contains {entry}; specify an empty or a new folder with --data"
    )]
    ForeignTarget {
        /// The folder.
        folder: String,
        /// One of the entries.
        entry: String,
    },
    /// A service runs on the data folder, or on the database, or another command uses it.
    #[error("{0} is in use by a service or another command; stop it first")]
    TargetInUse(String),
    /// Entries of the data folder were moved, and could not be moved back after a failure.
    #[error(
        "{error}; the former data could not be moved back: {state}; remove the cause and run the restore again, which first moves them back"
    )]
    HalfSwapped {
        /// Why not everything was moved.
        error: String,
        /// Why it was not moved back, and what is where.
        state: String,
    },
    /// The backup is not of the kind of store that was specified.
    #[error("{0}")]
    OtherEngine(&'static str),
    /// The target database is not empty.
    #[error("{0} is not empty: create an empty database and specify it with --store")]
    NotEmptyDatabase(String),
    /// The backup was made by a newer program.
    #[error(
        "{backup} has schema version {schema}, but this program supports only versions up to {supported}: {} made it; use that program",
        other_program(Some(.program))
    )]
    NewerSchema {
        /// The backup.
        backup: String,
        /// The schema version of the backup.
        schema: i64,
        /// The latest schema version that this program supports.
        supported: i64,
        /// The version of the program.
        program: String,
    },
    /// The database of the backup has code of other programs.
    #[error(
        "{file} has triggers or views that Quarry has not created, and that would run within the service ({names}): drop them in the \
         store and make another backup; if the store is lost, put a copy of this file without them into a new data folder yourself, with \
         the secret and the folder `files` of the backups"
    )]
    ForeignCode {
        /// The database in the backup.
        file: String,
        /// The triggers and views.
        names: String,
    },
    /// Contents of attachments are missing in the backup, or damaged.
    #[error(
        "{count} files of attachments are missing or damaged in the backup, such as {first}: restore another backup, or leave them out with --skip-damaged"
    )]
    LostContents {
        /// Their number.
        count: usize,
        /// The SHA-256 of one of them.
        first: String,
    },
    /// A program of PostgreSQL is not installed.
    #[error(
        "{0} is not installed: install the client programs of PostgreSQL (Debian: postgresql-client), or leave the records out \
         with --without-records and back up the database in another way"
    )]
    NoProgram(&'static str),
    /// A program of PostgreSQL has failed.
    #[error("{program} has failed: {problem}")]
    Program {
        /// The program.
        program: &'static str,
        /// What it printed.
        problem: String,
    },
    /// Something cannot be encrypted, or what was restored fails a check.
    #[error("{0}")]
    Verification(String),
    /// The service stops.
    #[error("it was stopped")]
    Stopped,
    /// A file or folder cannot be read or written.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl BackupError {
    /// Whether the request was wrong, as opposed to a failure.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            BackupError::NoRecords(_)
                | BackupError::Foreign { .. }
                | BackupError::NoBackups(_)
                | BackupError::NoBackup { .. }
                | BackupError::OtherStore(_)
                | BackupError::Nested { .. }
                | BackupError::PassphraseFile { .. }
                | BackupError::NoPassphrase(_)
                | BackupError::WrongPassphrase(_)
                | BackupError::NoSecret
                | BackupError::OtherSecret(_)
                | BackupError::NotEmpty(_)
                | BackupError::NotEmptyDatabase(_)
                | BackupError::NewerSchema { .. }
                | BackupError::ForeignTarget { .. }
                | BackupError::TargetInUse(_)
                | BackupError::OtherEngine(_)
        )
    }
}

impl From<StatementError> for BackupError {
    fn from(error: StatementError) -> Self {
        BackupError::Store(error.into())
    }
}

impl From<OpenError> for BackupError {
    fn from(error: OpenError) -> Self {
        BackupError::Store(error.into())
    }
}

/// Returns the error of an operation on this file or folder.
pub(super) fn file_error(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.display().to_string();
    move |error| BackupError::File(path, error)
}

/// Returns the error about a damaged file.
pub(super) fn damaged(path: &Path, problem: impl Into<String>) -> BackupError {
    BackupError::Damaged {
        file: path.display().to_string(),
        problem: problem.into(),
    }
}
