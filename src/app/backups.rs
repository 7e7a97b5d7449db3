//! Backups of the configured store.

use super::{App, store_location};
use jiff::Timestamp;
use quarry_config::{BackupSecret, Config};
use quarry_domain::administration::backup::{BackupStatus, KeepPolicy, LastBackup};
use quarry_store::StoreError;
use quarry_store::backup::{
    self, BackupError, BackupReport, BackupRequest, ConfigurationFile, Passphrase, SecretCopy,
};
use quarry_store::copy::Progress;
use std::path::Path;

/// Options of a backup.
pub struct BackupOptions<'a> {
    /// The folder of the backups.
    pub folder: &'a Path,
    /// How the secret is backed up.
    pub secret: &'a BackupSecret,
    /// Which backups are kept afterwards; `None` for all.
    pub keep: Option<&'a KeepPolicy>,
    /// Whether the records of a database on a server are left out.
    pub without_records: bool,
}

/// Makes a backup of the configured store.
pub fn create(
    config: &Config,
    options: &BackupOptions<'_>,
    now: Timestamp,
    progress: &mut dyn Progress,
) -> Result<BackupReport, BackupError> {
    let secret = match options.secret {
        BackupSecret::Omit => SecretCopy::Omit,
        BackupSecret::Include => SecretCopy::Plain,
        BackupSecret::Encrypt(path) => SecretCopy::Encrypt(Passphrase::from_file(path)?),
    };
    let configuration = config.file.as_ref().map(|file| {
        // The file may have changed since the service started.
        let contents = file.load_contents();
        ConfigurationFile {
            path: file.path.clone(),
            may_have_password: contents
                .as_ref()
                .is_ok_and(|bytes| quarry_config::may_have_password(bytes)),
            contents: contents.map_err(|error| error.to_string()),
        }
    });
    backup::create(
        &BackupRequest {
            location: &store_location::configured(config)?,
            folder: options.folder,
            configuration,
            secret: &secret,
            keep: options.keep,
            without_records: options.without_records,
            now,
        },
        progress,
    )
}

/// Describes a backup for the store, where administrators see it.
pub fn describe(report: &BackupReport, folder: &Path) -> LastBackup {
    LastBackup {
        name: report.name.clone(),
        folder: folder.display().to_string(),
        created_on: report.manifest.created_on,
        bytes: report.manifest.size(),
        problems: report.manifest.problems(),
    }
}

impl App {
    /// Returns the state of the last backups: [`BackupStatus::age`] is the age of the last complete
    /// one, and `last.bytes` its size.
    pub fn backup_status(&self) -> Result<BackupStatus, StoreError> {
        self.store.read(backup::status::status)
    }
}
