//! Restores a backup into a new data folder, or in place of the data of a folder.
//!
//! Everything is first restored into the staging folder `restoring` and checked there. The caller also
//! opens it as the service does. Only then is it published: moved to its final paths.

mod records;

use super::contents::{self, ContentCopier, Referenced};
use super::entries::RESTORING;
use super::error::{BackupError, damaged, file_error};
use super::files;
use super::folder::BackupFolder;
use super::manifest::{self, Manifest};
use super::secret::Passphrase;
use super::swap;
use super::target::{self, PublishReport};
use super::verify::unlisted_contents;
use super::{MAX_ENCRYPTED, compatibility, nesting};
use crate::copy::Progress;
use crate::data_folder::file_mode;
use crate::data_folder::folder_lock::FolderLock;
use crate::data_folder::secrets::{self, Secrets};
use crate::engine::Connection;
use crate::files::contents::{Contents, mark_shared};
use crate::{
    StoreError, StoreLocation,
    properties::{self, node_secret},
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::path::{Path, PathBuf};

/// Where the secret comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretSource {
    /// From the backup, or, if that has none, from the data folder.
    Backup,
    /// From a file that was kept elsewhere.
    File(PathBuf),
    /// A new one is created.
    New,
}

/// Options of a restore.
pub struct RestoreRequest<'a> {
    /// The folder of the backups.
    pub folder: &'a Path,
    /// The name of the backup; `None` for the latest.
    pub name: Option<&'a str>,
    /// The target of the restore.
    pub location: &'a StoreLocation,
    /// Where the secret comes from.
    pub secret: SecretSource,
    /// The passphrase of an encrypted secret.
    pub passphrase: Option<&'a Passphrase>,
    /// Whether data in the folder are replaced.
    pub replaces: bool,
    /// Whether contents of attachments that are damaged in the backup are left out.
    pub skips_damaged: bool,
    /// The current time.
    pub now: Timestamp,
}

/// A backup that was restored into the staging folder. Dropping it deletes the staging folder, unless the backup
/// was published, and those folders that the restore has created and that are empty.
pub struct RestoredBackup {
    /// The name of the backup.
    pub name: String,
    /// Its description.
    pub manifest: Manifest,
    /// Contents of attachments that the backup lacks, or that are damaged in it.
    pub lost: Vec<String>,
    /// What other programs have added to the schema, and what was left out, as text for users.
    pub left_out: Vec<String>,
    location: StoreLocation,
    staging: PathBuf,
    /// Name of the subfolder for former data; `None` if no data are replaced.
    aside: Option<String>,
    _new_folders: NewFolders,
    // Last, so that the folders are removed while the data folder is locked.
    _lock: FolderLock,
}

/// The data folder and its parents, those that did not exist. Dropping it removes those that are empty.
struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Finds them before they are created.
    fn find_missing(data: &Path) -> NewFolders {
        let missing = data.ancestors().take_while(|path| !path.exists());
        NewFolders(missing.map(Path::to_owned).collect())
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Fails after a successful restore, as only an empty folder can be removed.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

impl RestoredBackup {
    /// Restores a backup into the staging folder. Checks every byte, the structure of the database,
    /// its foreign keys and its number of rows.
    pub fn restore(
        request: &RestoreRequest<'_>,
        progress: &mut dyn Progress,
    ) -> Result<RestoredBackup, BackupError> {
        nesting::check_separate(&request.location.folder, request.folder)?;
        let folder = BackupFolder::open_reader(request.folder)?;
        let name = match request.name {
            Some(name) => name.to_owned(),
            None => folder.latest()?,
        };
        let backup = folder.backup(&name)?;
        let manifest = Manifest::load(&backup)?;
        compatibility::check_versions(&backup, &manifest, &folder)?;
        compatibility::check_engine(&manifest, request.location)?;
        let data = &request.location.folder;
        let new_folders = NewFolders::find_missing(data);
        file_mode::create_dir(data).map_err(file_error(data))?;
        let lock = FolderLock::acquire(data)
            .map_err(file_error(data))?
            .ok_or_else(|| BackupError::TargetInUse(data.display().to_string()))?;
        if swap::undo_interrupted(data)? {
            tracing::warn!("the last restore was interrupted; the former data were moved back");
        }
        let has_data = target::has_data(data)?;
        if has_data && !request.replaces {
            return Err(BackupError::NotEmpty(data.display().to_string()));
        }
        let staging = data.join(RESTORING);
        files::remove(&staging)?;
        file_mode::create_dir(&staging).map_err(file_error(&staging))?;
        let time = request.now.to_zoned(TimeZone::UTC);
        let time = time.strftime("%Y-%m-%dT%H%M%SZ").to_string();
        let mut restored = RestoredBackup {
            name,
            manifest,
            lost: Vec::new(),
            left_out: Vec::new(),
            location: request.location.clone(),
            staging,
            aside: request.replaces.then(|| swap::free_aside(data, &time)),
            _lock: lock,
            _new_folders: new_folders,
        };
        restored.restore_secret(request, &backup)?;
        restored.restore_configuration(request, &backup)?;
        restored.restore_records(&backup, progress)?;
        restored.restore_contents(request, &backup, &folder, progress)?;
        if request.secret == SecretSource::New {
            restored.accept_new_secret()?;
        }
        Ok(restored)
    }

    /// Returns where the restored store is until it is published, to open it as the service does.
    pub fn location(&self) -> StoreLocation {
        StoreLocation {
            folder: self.staging.clone(),
            backs_up_before_upgrade: false,
            ..self.location.clone()
        }
    }

    fn restore_secret(
        &mut self,
        request: &RestoreRequest<'_>,
        backup: &Path,
    ) -> Result<(), BackupError> {
        let target = self.staging.join(secrets::FILE);
        let existing = request.location.folder.join(secrets::FILE);
        let has_existing = existing.exists();
        let path = match &request.secret {
            SecretSource::New => return Ok(Secrets::create(&self.staging)?),
            SecretSource::File(path) => {
                let bytes = files::read_any(path, MAX_ENCRYPTED).map_err(file_error(path))?;
                files::write_private(&target, &bytes)?;
                path.clone()
            }
            SecretSource::Backup => {
                let names = (manifest::SECRET, manifest::ENCRYPTED_SECRET);
                match self.read_protected(backup, names, request.passphrase)? {
                    Some(bytes) => {
                        files::write_private(&target, &bytes)?;
                        backup.join(manifest::SECRET)
                    }
                    None if has_existing => {
                        let bytes = files::read(&existing, MAX_ENCRYPTED)?;
                        files::write_private(&target, &bytes)?;
                        existing.clone()
                    }
                    None => return Err(BackupError::NoSecret),
                }
            }
        };
        let fingerprint = Secrets::load(&self.staging)?.node_fingerprint();
        if self
            .manifest
            .secret_fingerprint
            .as_ref()
            .is_some_and(|expected| *expected != fingerprint)
        {
            return Err(BackupError::OtherSecret(path.display().to_string()));
        }
        if has_existing && !request.replaces {
            let is_same =
                Secrets::load(&request.location.folder)?.node_fingerprint() == fingerprint;
            if !is_same {
                return Err(BackupError::OtherSecret(existing.display().to_string()));
            }
        }
        Ok(())
    }

    /// Makes the new secret that of the restored records.
    fn accept_new_secret(&self) -> Result<(), BackupError> {
        let secrets = Secrets::load(&self.staging)?;
        let connection = Connection::open_writer(&self.location().database())?;
        properties::write(&connection, |connection| {
            node_secret::set(connection, &secrets)
        })?;
        Ok(())
    }

    fn restore_configuration(
        &self,
        request: &RestoreRequest<'_>,
        backup: &Path,
    ) -> Result<(), BackupError> {
        for names in [
            (manifest::CONFIGURATION, manifest::ENCRYPTED_CONFIGURATION),
            (
                manifest::OTHER_CONFIGURATION,
                manifest::ENCRYPTED_OTHER_CONFIGURATION,
            ),
        ] {
            if let Some(bytes) = self.read_protected(backup, names, request.passphrase)? {
                files::write_private(&self.staging.join(names.0), &bytes)?;
            }
        }
        Ok(())
    }

    /// Reads a file of the backup that may be encrypted; `None` if it was left out.
    fn read_protected(
        &self,
        backup: &Path,
        (name, encrypted): (&str, &str),
        passphrase: Option<&Passphrase>,
    ) -> Result<Option<Vec<u8>>, BackupError> {
        if self.manifest.file(name).is_some() {
            return self.read_file(backup, name).map(Some);
        }
        if self.manifest.file(encrypted).is_none() {
            return Ok(None);
        }
        let path = backup.join(encrypted);
        let bytes = self.read_file(backup, encrypted)?;
        passphrase
            .ok_or_else(|| BackupError::NoPassphrase(path.display().to_string()))?
            .decrypt(&bytes, &path)
            .map(Some)
    }

    fn read_file(&self, backup: &Path, name: &str) -> Result<Vec<u8>, BackupError> {
        let path = backup.join(name);
        let bytes = files::read(&path, MAX_ENCRYPTED)?;
        if self.manifest.file(name) == Some(&files::fingerprint_of(&bytes)) {
            Ok(bytes)
        } else {
            Err(damaged(&path, "its bytes have changed"))
        }
    }

    /// Copies a file of the backup, and compares its digest.
    fn copy_file(
        &self,
        backup: &Path,
        name: &str,
        progress: &mut dyn Progress,
    ) -> Result<PathBuf, BackupError> {
        let from = backup.join(name);
        let to = self.staging.join(name);
        let mut source = files::open_regular(&from).map_err(file_error(&from))?;
        let mut target = files::create_private(&to).map_err(file_error(&to))?;
        let copied = files::copy((&mut source, &from), (&mut target, &to), &mut |_| {
            progress.should_continue()
        })?;
        if self.manifest.file(name) != Some(&copied) {
            return Err(damaged(&from, "its bytes have changed"));
        }
        target.sync_all().map_err(file_error(&to))?;
        Ok(to)
    }

    fn restore_contents(
        &mut self,
        request: &RestoreRequest<'_>,
        backup: &Path,
        folder: &BackupFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), BackupError> {
        let mut listed = Referenced::new();
        if files::fingerprint(&backup.join(manifest::CONTENTS), &mut |_| true)?
            != *self.manifest.file(manifest::CONTENTS).ok_or_else(|| {
                damaged(
                    &backup.join(manifest::MANIFEST),
                    "it names no list of files",
                )
            })?
        {
            return Err(damaged(
                &backup.join(manifest::CONTENTS),
                "its bytes have changed",
            ));
        }
        contents::for_each(backup, |sha256| {
            listed.insert(sha256.to_owned(), u64::MAX);
            Ok(())
        })?;
        let target = match (&self.location.server, &self.location.files) {
            (None, _) => match Contents::in_data_folder(&self.staging) {
                Contents::Folder(folder) => folder,
                Contents::Database => return Ok(()),
            },
            (Some(_), Some(shared)) => {
                mark_shared(&self.location.database(), shared)?;
                shared.clone()
            }
            (Some(_), None) if listed.is_empty() => return Ok(()),
            (Some(_), None) => return Err(StoreError::NoFilesFolder.into()),
        };
        let mut copier = ContentCopier::new(folder.contents()?, target, &self.staging);
        progress.start("files", listed.len() as u64);
        copier.copy(&listed, &mut |bytes| {
            progress.advance(u64::from(bytes == 0));
            progress.should_continue()
        })?;
        progress.finish();
        files::remove(&self.staging.join("content"))?;
        self.lost = copier.missing.union(&copier.damaged).cloned().collect();
        if self.location.server.is_none() {
            let database = self.staging.join(manifest::DATABASE);
            let is_listed = |sha256: &str| listed.contains_key(sha256);
            let unlisted = unlisted_contents(&database, &self.manifest, is_listed)?;
            self.lost.extend(unlisted);
        }
        if !self.lost.is_empty() && !request.skips_damaged {
            return Err(BackupError::LostContents {
                count: self.lost.len(),
                first: self.lost[0].clone(),
            });
        }
        Ok(())
    }

    /// Moves the restored data to their final paths. The store must be closed. The index is left out
    /// if the configuration names another folder for it.
    pub fn publish(mut self, with_index: bool) -> Result<PublishReport, BackupError> {
        let aside = self.aside.take();
        target::publish(&self.staging, &self.location.folder, aside, with_index)
    }
}

impl Drop for RestoredBackup {
    fn drop(&mut self) {
        // The next restore removes what is left.
        let _ = files::remove(&self.staging);
    }
}
