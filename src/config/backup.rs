//! The keys `backup`, `backup_at`, `backup_keep`, `backup_secret`, `backup_passphrase_file` and
//! `backup_before_upgrade`.

use super::error::ConfigError;
use super::key::Key;
use super::sources::ConfigValues;
use quarry_domain::administration::backup::{BackupTimes, KeepPolicy};
use std::path::PathBuf;

/// Default of `backup_at`.
pub const DEFAULT_AT: &str = "03:00";
/// Default of `backup_keep`.
pub const DEFAULT_KEEP: &str = "7d,4w,6m";
/// Default of `backup_secret`.
pub const DEFAULT_SECRET: &str = "omit";
/// Default of `backup_before_upgrade`.
pub const DEFAULT_BEFORE_UPGRADE: &str = "on";

/// The backups that the service makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupConfig {
    /// The folder of the backups.
    pub folder: PathBuf,
    /// When they are made.
    pub times: BackupTimes,
    /// Which are kept.
    pub keep: KeepPolicy,
    /// How the secret is backed up.
    pub secret: BackupSecret,
}

/// How the secret, and a configuration file with passwords, are backed up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupSecret {
    /// They are left out.
    Omit,
    /// They are copied unencrypted.
    Include,
    /// They are encrypted with the passphrase in the first line of this file.
    Encrypt(PathBuf),
}

/// Loads the backups of the service; `None` if `backup` is missing or `off`.
pub fn load(values: &ConfigValues) -> Result<Option<BackupConfig>, ConfigError> {
    let times = values.parse(
        Key::BackupAt,
        DEFAULT_AT,
        "times in UTC with commas between them, such as 03:00 or 03:00,15:00",
        BackupTimes::parse,
    )?;
    let keep = values.parse(
        Key::BackupKeep,
        DEFAULT_KEEP,
        "numbers of hours, days, weeks, months and years, such as 7d,4w,6m, or all",
        KeepPolicy::parse,
    )?;
    let includes_secret = values.parse(
        Key::BackupSecret,
        DEFAULT_SECRET,
        "omit or include",
        |value| match value {
            "omit" => Some(false),
            "include" => Some(true),
            _ => None,
        },
    )?;
    let passphrase = values.find(Key::BackupPassphraseFile).map(PathBuf::from);
    let secret = match passphrase {
        Some(_) if includes_secret => return Err(ConfigError::BackupSecretTwice),
        Some(path) => BackupSecret::Encrypt(path),
        None if includes_secret => BackupSecret::Include,
        None => BackupSecret::Omit,
    };
    let folder = values.find(Key::Backup).filter(|folder| *folder != "off");
    Ok(folder.map(|folder| BackupConfig {
        folder: PathBuf::from(folder),
        times,
        keep,
        secret,
    }))
}

/// Loads whether the database is copied before a newer program changes its schema.
pub fn load_before_upgrade(values: &ConfigValues) -> Result<bool, ConfigError> {
    values.parse(
        Key::BackupBeforeUpgrade,
        DEFAULT_BEFORE_UPGRADE,
        "on or off",
        |value| match value {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        },
    )
}
