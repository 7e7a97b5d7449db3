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
    /// A secret has two sources of the same precedence.
    #[error("{variable} and {variable}_FILE are both set; set one of them")]
    SecretTwice {
        /// The variable.
        variable: String,
    },
    /// The file with a secret cannot be used.
    #[error("{origin} cannot be used: {problem}")]
    SecretFile {
        /// The variable with the path, or the credential.
        origin: String,
        /// What is wrong with the file.
        problem: String,
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
    /// The secret is configured to be in backups both unencrypted and encrypted.
    #[error(
        "`backup_secret` is include, and `backup_passphrase_file` encrypts the secret: choose one of them"
    )]
    BackupSecretTwice,
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
    /// Only one of certificate and key is set.
    #[error("`tls_certificate` and `tls_key` need each other")]
    CertificateWithoutKey,
    /// A key about TLS without a certificate.
    #[error("{origin} needs a certificate: set `tls_certificate` and `tls_key`, or `acme_domains`")]
    WithoutCertificate {
        /// The key and its source.
        origin: String,
    },
    /// A key about ACME without host names.
    #[error("{origin} needs `acme_domains`, the host names of the certificate")]
    WithoutDomains {
        /// The key and its source.
        origin: String,
    },
    /// Both certificate files and ACME are configured.
    #[error(
        "`acme_domains` gets a certificate itself; remove `tls_certificate` and `tls_key`, or it"
    )]
    TwoCertificates,
    /// The challenge HTTP-01 is selected without `http_listen`.
    #[error(
        "`acme_challenge` http-01 needs `http_listen`, an address that the authority reaches at port 80"
    )]
    ChallengeWithoutHttp,
    /// TLS is configured for a Unix socket.
    #[error(
        "`listen` names a Unix socket, which only programs on this machine reach; it cannot have a certificate"
    )]
    TlsOnSocket,
    /// A file in the data folder that sets the data folder.
    #[error(
        "{path} cannot set `data`: it was found by the data folder; name the file with --config instead"
    )]
    Circular {
        /// The path of the file.
        path: String,
    },
}
