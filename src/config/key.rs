//! The keys of the configuration, with their names in each source.

use super::limits::Limit;

/// A key of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Data folder.
    Data,
    /// URL of the PostgreSQL database of the records.
    Store,
    /// File with the password of that database.
    StorePasswordFile,
    /// Maximum number of connections to that database.
    StoreConnections,
    /// Folder for the contents of attachments, shared by all nodes.
    Files,
    /// Folder of the search index.
    Index,
    /// Address and port.
    Listen,
    /// Maximum size of a request body.
    BodyLimit,
    /// Reverse proxies.
    TrustedProxies,
    /// How mail is sent.
    Mail,
    /// Sender of mail.
    MailFrom,
    /// File with the password of the mail server.
    MailPasswordFile,
    /// Mailbox from which mails are received.
    MailImap,
    /// File with the password of the mailbox.
    MailImapPasswordFile,
    /// File with the authorities that the server of the mailbox may have.
    MailImapCaFile,
    /// Log filter.
    Log,
    /// Log format.
    LogFormat,
    /// A limit.
    Limit(Limit),
}

impl Key {
    /// Returns all keys.
    pub fn all() -> impl Iterator<Item = Key> {
        let keys = [
            Key::Data,
            Key::Store,
            Key::StorePasswordFile,
            Key::StoreConnections,
            Key::Files,
            Key::Index,
            Key::Listen,
            Key::BodyLimit,
            Key::TrustedProxies,
            Key::Mail,
            Key::MailFrom,
            Key::MailPasswordFile,
            Key::MailImap,
            Key::MailImapPasswordFile,
            Key::MailImapCaFile,
            Key::Log,
            Key::LogFormat,
        ];
        keys.into_iter()
            .chain(Limit::ALL.into_iter().map(Key::Limit))
    }

    /// Returns the key with this name.
    pub fn by_name(name: &str) -> Option<Key> {
        Key::all().find(|key| key.name() == name)
    }

    /// Returns the name in the configuration file.
    pub fn name(self) -> &'static str {
        match self {
            Key::Data => "data",
            Key::Store => "store",
            Key::StorePasswordFile => "store_password_file",
            Key::StoreConnections => "store_connections",
            Key::Files => "files",
            Key::Index => "index",
            Key::Listen => "listen",
            Key::BodyLimit => "body_limit",
            Key::TrustedProxies => "trusted_proxies",
            Key::Mail => "mail",
            Key::MailFrom => "mail_from",
            Key::MailPasswordFile => "mail_password_file",
            Key::MailImap => "mail_imap",
            Key::MailImapPasswordFile => "mail_imap_password_file",
            Key::MailImapCaFile => "mail_imap_ca_file",
            Key::Log => "log",
            Key::LogFormat => "log_format",
            Key::Limit(limit) => limit.name(),
        }
    }

    /// Whether the value may have a password anywhere in it, so that no message may cite it.
    pub fn is_secret(self) -> bool {
        matches!(self, Key::Store | Key::Mail | Key::MailImap)
    }

    /// Returns the name of the environment variable.
    pub fn variable(self) -> String {
        format!("QUARRY_{}", self.name().to_uppercase())
    }

    /// Returns the command-line flag.
    pub fn flag(self) -> String {
        match self {
            Key::Limit(limit) => format!("--limit {}", limit.name()),
            key => format!("--{}", key.name().replace('_', "-")),
        }
    }
}
