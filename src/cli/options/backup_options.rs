//! The options about the backups that the service makes.

use super::path_text;
use clap::Args;
use quarry_config::Key;
use std::path::PathBuf;

/// The options about the backups that the service makes.
#[derive(Debug, Args)]
pub struct ScheduledBackupOptions {
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

impl ScheduledBackupOptions {
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
