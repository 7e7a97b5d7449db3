//! The options of every command.

use clap::Args;
use quarry_config::Key;
use std::path::{Path, PathBuf};

/// The options of every command.
#[derive(Debug, Args)]
pub struct GlobalOptions {
    /// Data folder [default: data; for `quarry demo`, demo-data]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Configuration file in TOML [default: quarry.toml in the data folder, if there is one]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// PostgreSQL database, as postgres://USER@HOST/DATABASE [default: SQLite in the data folder]
    #[arg(long, value_name = "URL", global = true)]
    store: Option<String>,
    /// File whose first line is the password of that database
    #[arg(long, value_name = "FILE", global = true)]
    store_password_file: Option<PathBuf>,
    /// Maximum number of connections to that database [default: 20]
    #[arg(long, value_name = "COUNT", global = true)]
    store_connections: Option<String>,
    /// Folder of the search index [default: index in the data folder]
    #[arg(long, value_name = "DIR", global = true)]
    index: Option<PathBuf>,
    /// What to log, such as info or quarry=debug,audit=info,warn [default: info]
    #[arg(long, value_name = "FILTER", global = true)]
    log: Option<String>,
    /// How to log: text or json [default: text]
    #[arg(long, value_name = "FORMAT", global = true)]
    log_format: Option<String>,
}

impl GlobalOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 7] {
        [
            (Key::Data, self.data.as_deref().map(path_text)),
            (Key::Store, self.store.clone()),
            (
                Key::StorePasswordFile,
                self.store_password_file.as_deref().map(path_text),
            ),
            (Key::StoreConnections, self.store_connections.clone()),
            (Key::Index, self.index.as_deref().map(path_text)),
            (Key::Log, self.log.clone()),
            (Key::LogFormat, self.log_format.clone()),
        ]
    }
}

/// The options about mail, of the commands that send any.
#[derive(Debug, Args)]
pub struct MailOptions {
    /// How mail is sent: smtp://USER@HOST:PORT, smtps://…, sendmail: or off [default: off]
    #[arg(long, value_name = "URL")]
    mail: Option<String>,
    /// Sender of mail, such as "Quarry <quarry@example.org>"
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// File whose first line is the password of the mail server
    #[arg(long, value_name = "FILE")]
    mail_password_file: Option<PathBuf>,
}

impl MailOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 3] {
        [
            (Key::Mail, self.mail.clone()),
            (Key::MailFrom, self.mail_from.clone()),
            (
                Key::MailPasswordFile,
                self.mail_password_file.as_deref().map(path_text),
            ),
        ]
    }
}

/// The options about the mailbox from which mails are received.
#[derive(Debug, Args)]
pub struct MailboxOptions {
    /// Mailbox from which mails are received: imaps://USER@HOST:PORT/MAILBOX, imap://… or off [default: off]
    #[arg(long, value_name = "URL")]
    mail_imap: Option<String>,
    /// File whose first line is the password of the mailbox
    #[arg(long, value_name = "FILE")]
    mail_imap_password_file: Option<PathBuf>,
    /// File with the certificates of authorities that the server of the mailbox may have, in PEM, in
    /// place of those of the system
    #[arg(long, value_name = "FILE")]
    mail_imap_ca_file: Option<PathBuf>,
}

impl MailboxOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 3] {
        let path = |path: &Option<PathBuf>| path.as_deref().map(path_text);
        [
            (Key::MailImap, self.mail_imap.clone()),
            (
                Key::MailImapPasswordFile,
                path(&self.mail_imap_password_file),
            ),
            (Key::MailImapCaFile, path(&self.mail_imap_ca_file)),
        ]
    }
}

/// The options about the backups that the service makes.
#[derive(Debug, Args)]
pub struct BackupKeys {
    /// Folder in which the service makes backups, or off [default: off]
    #[arg(long, value_name = "DIR")]
    backup: Option<PathBuf>,
    /// Times of the backups in UTC, such as 03:00 or 03:00,15:00 [default: 03:00]
    #[arg(long, value_name = "TIMES")]
    backup_at: Option<String>,
    /// Backups to keep: the latest of each of the last days, weeks, months, or all [default: 7d,4w,6m]
    #[arg(long, value_name = "COUNTS")]
    backup_keep: Option<String>,
    /// Whether backups contain the secret unencrypted: omit or include [default: omit]
    #[arg(long, value_name = "CHOICE")]
    backup_secret: Option<String>,
    /// File whose first line is the passphrase that encrypts the secret in backups
    #[arg(long, value_name = "FILE")]
    backup_passphrase_file: Option<PathBuf>,
    /// Whether the database is copied before a new version changes its schema: on or off [default: on]
    #[arg(long, value_name = "CHOICE")]
    backup_before_upgrade: Option<String>,
}

impl BackupKeys {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 6] {
        [
            (Key::Backup, self.backup.as_deref().map(path_text)),
            (Key::BackupAt, self.backup_at.clone()),
            (Key::BackupKeep, self.backup_keep.clone()),
            (Key::BackupSecret, self.backup_secret.clone()),
            (
                Key::BackupPassphraseFile,
                self.backup_passphrase_file.as_deref().map(path_text),
            ),
            (Key::BackupBeforeUpgrade, self.backup_before_upgrade.clone()),
        ]
    }
}

/// Returns a path as the text of a value.
pub fn path_text(path: &Path) -> String {
    path.display().to_string()
}
