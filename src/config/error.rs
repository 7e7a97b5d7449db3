//! The errors of the configuration.

/// Why the configuration is invalid. Each message names the source of the value.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// An unknown key or variable.
    #[error("{origin} is not known{}", .nearest.as_ref().map_or(String::new(), |name| format!(", did you mean {name}?")))]
    Unknown {
        /// The key and its source.
        origin: String,
        /// The most similar known name.
        nearest: Option<String>,
    },
    /// An invalid value.
    #[error(
        "{origin}{} must be {expected}",
        .value.as_ref().map_or(String::new(), |value| format!(" is {value:?}, but"))
    )]
    Value {
        /// The key and its source.
        origin: String,
        /// The value; `None` if it may have a password, or is no text.
        value: Option<String>,
        /// A description of valid values.
        expected: &'static str,
    },
    /// The file cannot be read.
    #[error("the configuration file {path} cannot be read: {problem}")]
    File {
        /// The path of the file.
        path: String,
        /// The reason.
        problem: String,
    },
    /// A folder for the files of a SQLite store, which are in its data folder.
    #[error(
        "`files` needs `store`, the PostgreSQL database of the records: with SQLite, files are in the data folder"
    )]
    FilesWithoutStore,
    /// Mail without a sender.
    #[error(
        "`mail` needs `mail_from`, the address that sends, such as Quarry <quarry@example.org>"
    )]
    MailWithoutSender,
    /// A user of the mail server without a password.
    #[error(
        "`mail` has a user, but no password: name a file whose first line is the password in `mail_password_file`"
    )]
    MailWithoutPassword,
    /// A mailbox without a password.
    #[error(
        "`mail_imap` needs a password: name a file whose first line is the password in `mail_imap_password_file`"
    )]
    MailboxWithoutPassword,
    /// A file in the data folder that sets the data folder.
    #[error(
        "{path} cannot set `data`: it was found by the data folder; name the file with --config instead"
    )]
    Circular {
        /// The path of the file.
        path: String,
    },
}
