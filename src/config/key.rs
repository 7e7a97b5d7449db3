//! The keys of the configuration, with their names in each source.

use super::limits::Limit;
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};

/// A key of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
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
    /// Path of the service on a shared host name.
    BasePath,
    /// Permissions of the Unix socket.
    SocketMode,
    /// File with the certificate.
    TlsCertificate,
    /// File with its private key.
    TlsKey,
    /// Seconds for which browsers use only HTTPS.
    Hsts,
    /// Address and port where HTTP is redirected to HTTPS.
    HttpListen,
    /// Host names that an authority certifies.
    AcmeDomains,
    /// Mail address for that authority.
    AcmeEmail,
    /// URL of the directory of that authority.
    AcmeDirectory,
    /// Challenge that proves control of the host names.
    AcmeChallenge,
    /// File with the authorities that certify the server of the directory.
    AcmeCaFile,
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
    /// Address and port that serve the metrics without a token.
    MetricsListen,
    /// File with the token for the metrics at the address of the service.
    MetricsTokenFile,
    /// Time after which a request is logged as slow.
    SlowRequest,
    /// Folder of the backups.
    Backup,
    /// When backups are made.
    BackupAt,
    /// Which backups are kept.
    BackupKeep,
    /// Whether backups have the secret.
    BackupSecret,
    /// File with the passphrase for the secret in backups.
    BackupPassphraseFile,
    /// Whether the database is copied before its schema is changed.
    BackupBeforeUpgrade,
    /// Log filter.
    Log,
    /// Log format.
    LogFormat,
    /// A limit.
    #[strum(transparent)]
    Limit(Limit),
}

impl Key {
    /// Returns all keys.
    pub fn all() -> impl Iterator<Item = Key> {
        let limits = Limit::ALL.iter().copied().map(Key::Limit);
        Key::iter()
            .filter(|key| !matches!(key, Key::Limit(_)))
            .chain(limits)
    }

    /// Returns the key with this name.
    pub fn by_name(name: &str) -> Option<Key> {
        Key::all().find(|key| key.name() == name)
    }

    /// Returns the name in the configuration file.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether this value is the path of a file or folder.
    pub fn is_path(self, value: &str) -> bool {
        match self {
            Key::Backup => value != "off",
            Key::Data
            | Key::Index
            | Key::Files
            | Key::StorePasswordFile
            | Key::MailPasswordFile
            | Key::MailImapPasswordFile
            | Key::MailImapCaFile
            | Key::MetricsTokenFile
            | Key::TlsCertificate
            | Key::TlsKey
            | Key::AcmeCaFile
            | Key::BackupPassphraseFile => true,
            _ => false,
        }
    }

    /// Whether the value is a secret: a URL with a password.
    pub fn is_secret(self) -> bool {
        matches!(self, Key::Store | Key::Mail | Key::MailImap)
    }

    /// Whether a value, also a wrong one, may have a password anywhere in it, so that no message may
    /// cite it: a URL, or the password itself in place of the path of its file.
    pub fn is_confidential(self) -> bool {
        self.credential().is_some() || self == Key::AcmeDirectory
    }

    /// Returns the name, without its prefix, of the systemd credential that can hold the secret: the value
    /// itself, or what is in the file that the value names.
    pub fn credential(self) -> Option<&'static str> {
        if self.is_secret() {
            return Some(self.name());
        }
        let name = self.name().strip_suffix("_file")?;
        let is_secret = ["_password", "_passphrase", "_token"]
            .iter()
            .any(|suffix| name.ends_with(suffix));
        is_secret.then_some(name)
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
