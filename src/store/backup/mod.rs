//! Backups: snapshots of a store in a folder. Each has the records, the contents of attachments, the
//! configuration and, if requested, the secret.
//!
//! Invariants: a backup gets its name when it is complete and synced. Its records are one consistent
//! snapshot. Every byte is covered by a SHA-256. All backups of a folder share the contents of
//! attachments, which are deleted when no backup has them. No path is taken from a file of the folder,
//! and no symbolic link in it is followed.

mod additions;
mod compatibility;
mod configuration;
mod contents;
mod create;
mod dump;
mod entries;
mod error;
mod files;
mod folder;
mod manifest;
mod nesting;
mod prune;
mod restore;
mod secret;
mod source;
pub mod status;
mod swap;
mod target;
#[cfg(test)]
mod tests;
pub(crate) mod upgrade;
mod verify;

pub use create::{BackupReport, BackupRequest, ConfigurationFile, create};
pub use entries::is_data_folder_entry;
pub use error::BackupError;
pub use files::Fingerprint;
pub use manifest::Manifest;
pub use nesting::check_separate;
pub use restore::{RestoreRequest, RestoredBackup, SecretSource};
pub use secret::{Passphrase, SecretCopy};
pub use swap::check_complete;
pub use target::PublishReport;
pub use verify::{ListedBackup, VerifyReport, list, verify};

/// Maximum size in bytes of a secret or configuration, also when encrypted.
const MAX_ENCRYPTED: u64 = 4 << 20;
