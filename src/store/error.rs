//! Errors of the store.

use super::disk;
use super::engine::{OpenError, ServerError, StatementError};

/// An operation of the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data folder cannot be created or read.
    #[error("{0}: {1}")]
    Folder(String, std::io::Error),
    /// A file or folder of attachments cannot be written.
    #[error("{0} cannot be written: {1}")]
    Unwritable(String, std::io::Error),
    /// A restore was interrupted while it moved the entries of the data folder.
    #[error(
        "`quarry restore` was interrupted while it moved files in {folder}: run the same command again, which first moves the former data \
         back{by_hand}"
    )]
    InterruptedRestore {
        /// The data folder.
        folder: String,
        /// What to do instead, as a part of the sentence.
        by_hand: String,
    },
    /// The file with the password of the database cannot be used.
    #[error("`store_password_file` {path}: {problem}")]
    PasswordFile {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The secret of the data folder cannot be used.
    #[error("the secret of the data folder: {0}")]
    Secret(String),
    /// There are records, but the secret that their API keys are encrypted with is missing.
    #[error(
        "{0} is missing although the folder holds records: put it back from the backup; if it is lost, `quarry secret reset` creates a \
         new one, and every API key must then be created again"
    )]
    NoSecret(String),
    /// The server has records, but the folder of this node has no secret.
    #[error(
        "{file} is missing, and {store} has records already: copy the file from another node, or put it back from the backup; if it is \
         lost, `quarry secret reset` creates a new one, and every API key must then be created again"
    )]
    NoNodeSecret {
        /// The missing file.
        file: String,
        /// The database.
        store: String,
    },
    /// The secret of this node is not the one of the other nodes.
    #[error(
        "{file} is not the secret of the nodes that serve {store}: copy the file from one of them; all nodes need the same"
    )]
    OtherSecret {
        /// The file with the wrong secret.
        file: String,
        /// The database.
        store: String,
    },
    /// The secret of this data folder is not the one of its records.
    #[error(
        "{file} is not the secret of the records in {store}: put that one back from the backup; if it is lost, move this file away, and \
         `quarry secret reset` creates a new one, and every API key must then be created again"
    )]
    OtherFolderSecret {
        /// The file with the wrong secret.
        file: String,
        /// The database.
        store: String,
    },
    /// A secret cannot be replaced while nodes are running.
    #[error(
        "{0} is served by the node at {1}; stop all nodes first, and wait for a minute if one was killed"
    )]
    NodesRunning(String, String),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The address of the database server is invalid.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A statement failed.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// A record has an invalid value.
    #[error("{table} {id}: {problem}")]
    Record {
        /// The table of the record.
        table: &'static str,
        /// The id of the record.
        id: i64,
        /// What is invalid.
        problem: String,
    },
    /// The folder for the contents of attachments cannot be used.
    #[error("{folder}, the folder of `files`, cannot be used: {problem}")]
    FilesFolder {
        /// The folder.
        folder: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The contents of attachments are in a shared folder that was not specified.
    #[error(
        "the files of this store are in a folder that its nodes share: specify it with `files` in the configuration, QUARRY_FILES, \
         --files of `quarry serve`, or --from-files of `quarry store copy`"
    )]
    NoFilesFolder,
    /// The store is the incomplete copy of another one.
    #[error(
        "{0} has an incomplete copy of another store: run `quarry store copy` again with the same --from and --to"
    )]
    IncompleteCopy(String),
    /// The service that runs on the data folder is that of an earlier version.
    #[error(
        "{0} has the schema of an earlier version of Quarry: start the service with this version first"
    )]
    OlderService(String),
    /// The disk has no room for a copy of the database.
    #[error(
        "{folder} has no room for a copy of the database before its schema is changed ({needed} MiB are needed, {free} MiB are free); \
         nothing was changed: free some space, or start without the copy (`backup_before_upgrade = \"off\"`) if you have a backup"
    )]
    NoRoomForUpgrade {
        /// The data folder.
        folder: String,
        /// Needed space in MiB.
        needed: u64,
        /// Free space in MiB.
        free: u64,
    },
    /// The store has been closed, or the write panicked.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether the disk is full or not writable.
    pub fn is_disk_error(&self) -> bool {
        match self {
            StoreError::Statement(StatementError::Disk(_)) => true,
            StoreError::Folder(_, error) => disk::is_full(error),
            StoreError::Unwritable(_, error) => {
                disk::is_full(error) || disk::is_not_writable(error)
            }
            _ => false,
        }
    }

    /// Whether a statement was stopped at its deadline.
    pub fn is_timeout(&self) -> bool {
        matches!(self, StoreError::Statement(StatementError::TimedOut))
    }

    /// Whether this node cannot serve the records: an outage, or the secret was replaced.
    pub fn is_unavailable(&self) -> bool {
        self.is_outage()
            || matches!(
                self,
                StoreError::OtherSecret { .. } | StoreError::OtherFolderSecret { .. }
            )
    }

    /// Whether the database server cannot be reached, or has no free connection.
    pub fn is_outage(&self) -> bool {
        matches!(
            self,
            StoreError::Statement(StatementError::Unavailable(_))
                | StoreError::Open(OpenError::Unavailable(_))
        )
    }

    /// Whether the outcome of a commit is unknown, because the server was lost meanwhile.
    pub fn is_unknown_commit(&self) -> bool {
        matches!(
            self,
            StoreError::Statement(StatementError::UnknownCommit(_))
        )
    }

    /// Whether a constraint was violated, such as a unique name.
    pub fn is_constraint(&self) -> bool {
        matches!(self, StoreError::Statement(StatementError::Constraint(_)))
    }

    /// Whether a record was to be written that refers to a missing one.
    pub fn is_missing_reference(&self) -> bool {
        matches!(
            self,
            StoreError::Statement(StatementError::Constraint(problem))
                if problem.to_ascii_lowercase().contains("foreign key")
        )
    }
}
