//! Makes a backup.
//!
//! The contents of attachments are copied before the records. Afterwards, only those that were added
//! meanwhile are left to copy. If one was deleted in between, the records are copied again.

use super::contents::{self, ContentCopier, Referenced};
use super::error::{BackupError, damaged, file_error};
use super::files::{self, Fingerprint};
use super::folder::BackupFolder;
use super::manifest::{self, ContentsSummary, Manifest};
use super::secret::SecretCopy;
use super::source::{self, Source};
use super::{configuration, dump, nesting, prune};
use crate::StoreLocation;
use crate::copy::Progress;
use crate::data_folder::file_mode;
use crate::data_folder::secrets::{self, Secrets};
use crate::engine::{self, Connection, DatabaseLocation};
use indexmap::IndexMap;
use jiff::Timestamp;
use quarry_domain::administration::backup::KeepPolicy;
use std::path::{Path, PathBuf};

/// Maximum number of copies of the records for one backup.
const MAX_COPIES: usize = 5;
/// Maximum size of a secret or a configuration file in bytes.
const MAX_SMALL_FILE: u64 = 1 << 20;

/// Options of a backup.
pub struct BackupRequest<'a> {
    /// The store.
    pub location: &'a StoreLocation,
    /// The folder of the backups.
    pub folder: &'a Path,
    /// The configuration file, if there is one.
    pub configuration: Option<ConfigurationFile>,
    /// How the secret, and a configuration with passwords, are backed up.
    pub secret: &'a SecretCopy,
    /// Which backups are kept afterwards; `None` for all.
    pub keep: Option<&'a KeepPolicy>,
    /// Whether the records of a database on a server are left out.
    pub without_records: bool,
    /// The current time.
    pub now: Timestamp,
}

/// A configuration file for a backup.
pub struct ConfigurationFile {
    pub path: PathBuf,
    /// Its contents, or why it cannot be read.
    pub contents: Result<Vec<u8>, String>,
    /// Whether the contents may have a password.
    pub may_have_password: bool,
}

/// The result of a backup.
#[derive(Debug)]
pub struct BackupReport {
    /// The name of the backup.
    pub name: String,
    /// Its description.
    pub manifest: Manifest,
    /// Number and size of the contents of attachments that the folder did not have before.
    pub new_contents: (u64, u64),
    /// The backups that were deleted.
    pub deleted: Vec<String>,
    /// Number and size of the contents that were deleted with them.
    pub deleted_contents: (u64, u64),
    /// Why old backups were not deleted.
    pub problem: Option<BackupError>,
}

/// Makes a backup, which is synced to disk when this returns. If it fails or is interrupted, there is
/// no new backup, and earlier ones are unchanged.
pub fn create(
    request: &BackupRequest<'_>,
    progress: &mut dyn Progress,
) -> Result<BackupReport, BackupError> {
    nesting::check_separate(&request.location.folder, request.folder)?;
    let source = Source::open(request.location)?;
    let folder = BackupFolder::open_writer(request.folder, &source.store_id)?;
    let staging = folder.incomplete();
    file_mode::create_dir(&staging).map_err(file_error(&staging))?;
    let written = Backup {
        request,
        source: &source,
        folder: &folder,
        staging: &staging,
        left_out: IndexMap::new(),
        files: IndexMap::new(),
    }
    .write(progress);
    let (name, manifest, new_contents) = match written {
        Ok(written) => written,
        Err(error) => {
            // The next backup tries again.
            let _ = files::remove(&staging);
            return Err(error);
        }
    };
    let mut report = BackupReport {
        name,
        manifest,
        new_contents,
        deleted: Vec::new(),
        deleted_contents: (0, 0),
        problem: None,
    };
    let name = &report.name;
    match prune::prune(
        &folder,
        request.keep,
        name,
        request.now,
        &mut report.deleted,
    ) {
        Ok(contents) => report.deleted_contents = contents,
        Err(error) => report.problem = Some(error),
    }
    Ok(report)
}

/// A backup that is being written.
struct Backup<'b> {
    request: &'b BackupRequest<'b>,
    source: &'b Source,
    folder: &'b BackupFolder,
    staging: &'b Path,
    left_out: IndexMap<String, String>,
    files: IndexMap<String, Fingerprint>,
}

/// The records of a backup.
struct Records {
    tables: IndexMap<String, u64>,
    referenced: Referenced,
}

impl Backup<'_> {
    /// Writes everything, the manifest last, and gives the folder its name.
    fn write(
        mut self,
        progress: &mut dyn Progress,
    ) -> Result<(String, Manifest, (u64, u64)), BackupError> {
        self.leave_out(
            "index",
            "it is derived from the records; a restore builds it again",
        );
        self.leave_out("thumbnails", "they are created again on request");
        self.copy_configuration()?;
        let secret_fingerprint = self.copy_secret()?;
        let (records, copier) = self.copy_records(progress)?;
        let is_left_out =
            |sha256: &str| copier.missing.contains(sha256) || copier.damaged.contains(sha256);
        let (count, size) = contents::write_list(self.staging, &records.referenced, is_left_out)?;
        self.add_file(manifest::CONTENTS)?;
        let manifest = Manifest {
            created_on: self.request.now,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            schema: self.source.schema,
            store_id: self.folder.store_id.clone(),
            secret_fingerprint,
            left_out: self.left_out,
            files: self.files,
            contents: ContentsSummary {
                count,
                size,
                missing: copier.missing.iter().cloned().collect(),
                damaged: copier.damaged.iter().cloned().collect(),
            },
            tables: records.tables,
        };
        files::remove(&self.staging.join("content"))?;
        manifest.write(self.staging)?;
        let name = self.folder.free_name(self.request.now)?;
        files::rename(self.staging, &self.folder.path().join(&name))?;
        Ok((name, manifest, copier.copied))
    }

    fn leave_out(&mut self, what: &str, why: impl Into<String>) {
        self.left_out.insert(what.to_owned(), why.into());
    }

    /// Adds a file that was written to the manifest.
    fn add_file(&mut self, name: &str) -> Result<(), BackupError> {
        let path = self.staging.join(name);
        files::sync(&path)?;
        let fingerprint = files::fingerprint(&path, &mut |_| true)?;
        self.files.insert(name.to_owned(), fingerprint);
        Ok(())
    }

    fn copy_configuration(&mut self) -> Result<(), BackupError> {
        let Some(file) = &self.request.configuration else {
            return Ok(());
        };
        let path = &file.path;
        // A file from elsewhere may have keys that are not allowed in a data folder.
        let is_in_data_folder = path.parent() == Some(&self.request.location.folder)
            && path.ends_with(manifest::CONFIGURATION);
        let name = if is_in_data_folder {
            (manifest::CONFIGURATION, manifest::ENCRYPTED_CONFIGURATION)
        } else {
            (
                manifest::OTHER_CONFIGURATION,
                manifest::ENCRYPTED_OTHER_CONFIGURATION,
            )
        };
        let bytes = match &file.contents {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.leave_out(name.0, reason);
                return Ok(());
            }
        };
        if file.may_have_password {
            return self.add_protected(name, bytes, "it may have passwords");
        }
        let text = std::str::from_utf8(bytes).ok();
        let Some(Ok(uncommented)) = text.map(configuration::without_comments) else {
            return self.add_protected(name, bytes, "it may have passwords");
        };
        // A comment may have a password in any form, such as a former value.
        match uncommented {
            Some(uncommented) if matches!(self.request.secret, SecretCopy::Omit) => {
                let what = format!("comments of {}", name.0);
                self.leave_out(&what, "they may have passwords");
                files::write_private(&self.staging.join(name.0), uncommented.as_bytes())?;
                self.add_file(name.0)
            }
            Some(_) => self.add_protected(name, bytes, "it has comments"),
            None => {
                files::write_private(&self.staging.join(name.0), bytes)?;
                self.add_file(name.0)
            }
        }
    }

    /// Copies the secret as requested. Returns its fingerprint.
    fn copy_secret(&mut self) -> Result<Option<String>, BackupError> {
        let data = &self.request.location.folder;
        let Some(loaded) = Secrets::find(data)? else {
            self.leave_out(manifest::SECRET, "the data folder has none");
            return Ok(None);
        };
        let bytes = files::read(&data.join(secrets::FILE), MAX_SMALL_FILE)?;
        let name = (manifest::SECRET, manifest::ENCRYPTED_SECRET);
        self.add_protected(
            name,
            &bytes,
            "without it, API keys, second factors and OAuth secrets cannot be read; keep a copy of it elsewhere",
        )?;
        Ok(Some(loaded.node_fingerprint()))
    }

    /// Adds a file as it is, encrypted, or not at all.
    fn add_protected(
        &mut self,
        (name, encrypted): (&str, &str),
        bytes: &[u8],
        reason: &str,
    ) -> Result<(), BackupError> {
        match self.request.secret {
            SecretCopy::Omit => {
                self.leave_out(name, reason);
                Ok(())
            }
            SecretCopy::Plain => {
                files::write_private(&self.staging.join(name), bytes)?;
                self.add_file(name)
            }
            SecretCopy::Encrypt(passphrase) => {
                let bytes = passphrase.encrypt(bytes)?;
                files::write_private(&self.staging.join(encrypted), &bytes)?;
                self.add_file(encrypted)
            }
        }
    }

    /// Copies the records and the contents that they reference.
    fn copy_records(
        &mut self,
        progress: &mut dyn Progress,
    ) -> Result<(Records, ContentCopier), BackupError> {
        let no_folder = PathBuf::new();
        let source_folder = self.source.contents.clone().unwrap_or(no_folder);
        let mut copier = ContentCopier::new(source_folder, self.folder.contents()?, self.staging);
        if self.source.contents.is_none() {
            return Ok((self.copy_database(progress)?, copier));
        }
        copy_contents(&mut copier, &self.source.referenced()?, progress)?;
        for attempt in 1.. {
            let records = self.copy_database(progress)?;
            copy_contents(&mut copier, &records.referenced, progress)?;
            let missing = &copier.missing;
            if missing.is_empty() || attempt == MAX_COPIES {
                return Ok((records, copier));
            }
            // Were they deleted since the records were copied?
            let current = self.source.referenced()?;
            if missing
                .iter()
                .all(|sha256| current.contains_key(sha256) && !copier.source(sha256).exists())
            {
                return Ok((records, copier));
            }
        }
        unreachable!("the loop returns")
    }

    fn copy_database(&mut self, progress: &mut dyn Progress) -> Result<Records, BackupError> {
        self.files
            .retain(|name, _| ![manifest::DATABASE, manifest::DUMP].contains(&name.as_str()));
        if self.request.without_records {
            self.leave_out(
                manifest::RECORDS,
                "back up the database in another way, at the same time",
            );
            let referenced = self.source.referenced()?;
            return Ok(Records {
                tables: IndexMap::new(),
                referenced,
            });
        }
        match &self.source.database {
            DatabaseLocation::File(path) | DatabaseLocation::AtRest(path) => {
                self.copy_sqlite(path, progress)
            }
            DatabaseLocation::Server(server) => {
                let path = self.staging.join(manifest::DUMP);
                files::remove(&path)?;
                let (tables, referenced) =
                    dump::dump(self.source.connection(), server, &path, progress)?;
                self.add_file(manifest::DUMP)?;
                let referenced = if self.source.contents.is_some() {
                    referenced
                } else {
                    Referenced::new()
                };
                Ok(Records { tables, referenced })
            }
        }
    }

    fn copy_sqlite(
        &mut self,
        path: &Path,
        progress: &mut dyn Progress,
    ) -> Result<Records, BackupError> {
        let target = self.staging.join(manifest::DATABASE);
        files::remove(&target)?;
        // SQLite would choose another mode.
        drop(files::create_private(&target).map_err(file_error(&target))?);
        let mut copied = 0;
        progress.start("records", 0);
        let is_complete = engine::copy_file(path, &target, &mut |pages, _| {
            progress.advance(pages.saturating_sub(copied));
            copied = pages;
            progress.should_continue()
        });
        progress.finish();
        if !is_complete? {
            return Err(BackupError::Stopped);
        }
        self.add_file(manifest::DATABASE)?;
        let copy = Connection::open_immutable(&target)?;
        copy.check()
            .map_err(|problem| damaged(path, problem.to_string()))?;
        Ok(Records {
            tables: source::count_rows(&copy)?,
            referenced: source::referenced(&copy, path)?,
        })
    }
}

fn copy_contents(
    copier: &mut ContentCopier,
    referenced: &Referenced,
    progress: &mut dyn Progress,
) -> Result<(), BackupError> {
    progress.start("files", 0);
    let outcome = copier.copy(referenced, &mut |bytes| {
        progress.advance(u64::from(bytes == 0));
        progress.should_continue()
    });
    progress.finish();
    outcome
}
