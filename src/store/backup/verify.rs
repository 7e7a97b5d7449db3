//! Checks backups: every byte by its digest, and the records by SQLite's own checks.

use super::contents;
use super::error::{BackupError, damaged, file_error};
use super::files;
use super::folder::BackupFolder;
use super::manifest::{self, Manifest};
use super::secret::Passphrase;
use super::source;
use crate::copy::Progress;
use crate::engine::Connection;
use crate::files::stored_files::blob_path;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Maximum number of problems of one backup that are listed.
const MAX_PROBLEMS: usize = 1000;

/// A backup in a folder.
#[derive(Debug)]
pub struct ListedBackup {
    /// Its name.
    pub name: String,
    /// Its description, or why it cannot be read.
    pub manifest: Result<Manifest, BackupError>,
}

/// Lists the backups of a folder, the oldest first.
pub fn list(path: &Path) -> Result<Vec<ListedBackup>, BackupError> {
    let folder = BackupFolder::open_reader(path)?;
    let names = folder.names()?.into_iter();
    Ok(names
        .map(|(_, name)| ListedBackup {
            manifest: Manifest::load(&path.join(&name)),
            name,
        })
        .collect())
}

/// The outcome of a check.
#[derive(Debug)]
pub struct VerifyReport {
    /// The name of the backup.
    pub name: String,
    /// Its description, if it can be read.
    pub manifest: Option<Manifest>,
    /// The problems, as text for users.
    pub problems: Vec<String>,
    /// Whether the secret is encrypted with another passphrase, and was not checked.
    pub has_other_passphrase: bool,
}

/// Checks the backup with this name, or all of them. With a passphrase, the secret is decrypted too.
/// The files are only read. What is wrong with one backup does not prevent the check of the next one.
pub fn verify(
    path: &Path,
    name: Option<&str>,
    passphrase: Option<&Passphrase>,
    progress: &mut dyn Progress,
) -> Result<Vec<VerifyReport>, BackupError> {
    let folder = BackupFolder::open_reader(path)?;
    let names: Vec<String> = match name {
        Some(name) => {
            folder.backup(name)?;
            vec![name.to_owned()]
        }
        None => folder.names()?.into_iter().map(|(_, name)| name).collect(),
    };
    if names.is_empty() {
        return Err(BackupError::NoBackups(path.display().to_string()));
    }
    let mut checked = HashMap::new();
    let mut reports = Vec::new();
    for name in names {
        progress.start(&name, 0);
        let mut check = Check {
            folder: &folder,
            backup: folder.backup(&name)?,
            problems: Vec::new(),
            has_other_passphrase: false,
            checked: &mut checked,
        };
        let manifest = check.run(passphrase, progress)?;
        progress.finish();
        reports.push(VerifyReport {
            name,
            manifest,
            problems: check.problems,
            has_other_passphrase: check.has_other_passphrase,
        });
    }
    Ok(reports)
}

/// The check of one backup.
struct Check<'c> {
    folder: &'c BackupFolder,
    backup: std::path::PathBuf,
    problems: Vec<String>,
    has_other_passphrase: bool,
    /// Problems of the contents that were checked, which backups share.
    checked: &'c mut HashMap<String, Option<String>>,
}

impl Check<'_> {
    /// Runs the check. Fails only when it is stopped.
    fn run(
        &mut self,
        passphrase: Option<&Passphrase>,
        progress: &mut dyn Progress,
    ) -> Result<Option<Manifest>, BackupError> {
        let Some(manifest) = self.keep(Manifest::load(&self.backup))? else {
            return Ok(None);
        };
        if manifest.store_id != self.folder.store_id {
            self.add("the manifest names another store than the folder".to_owned());
        }
        let mut damaged = Vec::new();
        for (name, expected) in &manifest.files {
            let path = self.backup.join(name);
            let actual = files::fingerprint(&path, &mut |_| progress.should_continue());
            match self.keep(actual)? {
                Some(actual) if actual == *expected => continue,
                Some(_) => self.add(format!("{}: its bytes have changed", path.display())),
                None => {}
            }
            damaged.push(name.as_str());
        }
        let mut listed = None;
        if !damaged.contains(&manifest::CONTENTS) {
            let outcome = self.check_contents(&manifest, progress);
            listed = self.keep(outcome)?;
        }
        if !damaged.contains(&manifest::DATABASE) && manifest.file(manifest::DATABASE).is_some() {
            self.check_records(&manifest, listed.as_ref())?;
        }
        if let Some(passphrase) = passphrase
            && manifest.file(manifest::ENCRYPTED_SECRET).is_some()
            && !damaged.contains(&manifest::ENCRYPTED_SECRET)
        {
            let path = self.backup.join(manifest::ENCRYPTED_SECRET);
            let decrypted = files::read(&path, super::MAX_ENCRYPTED)
                .and_then(|bytes| passphrase.decrypt(&bytes, &path));
            if matches!(decrypted, Err(BackupError::WrongPassphrase(_))) {
                self.has_other_passphrase = true;
            } else {
                self.keep(decrypted)?;
            }
        }
        Ok(Some(manifest))
    }

    fn add(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Adds an error to the problems, except that the check was stopped.
    fn keep<T>(&mut self, outcome: Result<T, BackupError>) -> Result<Option<T>, BackupError> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(BackupError::Stopped) => Err(BackupError::Stopped),
            Err(error) => {
                self.add(error.to_string());
                Ok(None)
            }
        }
    }

    fn check_records(
        &mut self,
        manifest: &Manifest,
        listed: Option<&HashSet<String>>,
    ) -> Result<(), BackupError> {
        let path = self.backup.join(manifest::DATABASE);
        let problems = self.keep(record_problems(&path, manifest))?;
        let is_readable = problems.as_ref().is_some_and(Vec::is_empty);
        for problem in problems.unwrap_or_default() {
            self.add(problem);
        }
        if let Some(listed) = listed.filter(|_| is_readable) {
            let unlisted = unlisted_contents(&path, manifest, |sha256| listed.contains(sha256));
            for sha256 in self.keep(unlisted)?.unwrap_or_default() {
                self.add(format!(
                    "the file {sha256} of an attachment is not in the backup"
                ));
            }
        }
        Ok(())
    }

    /// Checks the contents of attachments in the list. Returns their digests.
    fn check_contents(
        &mut self,
        manifest: &Manifest,
        progress: &mut dyn Progress,
    ) -> Result<HashSet<String>, BackupError> {
        let contents = self.folder.contents()?;
        let mut listed = HashSet::new();
        let backup = self.backup.clone();
        contents::for_each(&backup, |sha256| {
            if listed.len() as u64 == manifest.contents.count {
                let list = backup.join(manifest::CONTENTS);
                return Err(damaged(&list, "it has more files than the manifest"));
            }
            listed.insert(sha256.to_owned());
            if !self.checked.contains_key(sha256) {
                let path = blob_path(&contents, sha256);
                let actual = contents::open(&contents, sha256)
                    .map_err(file_error(&path))
                    .and_then(|file| {
                        files::fingerprint_open(file, &path, &mut |_| progress.should_continue())
                    });
                let problem = match actual {
                    Ok(actual) if actual.sha256 == sha256 => None,
                    Ok(_) => Some(format!(
                        "{}: its bytes have changed; delete it, and the next backup copies it again if the store still has it",
                        path.display()
                    )),
                    Err(BackupError::Stopped) => return Err(BackupError::Stopped),
                    Err(error) => Some(error.to_string()),
                };
                progress.advance(1);
                self.checked.insert(sha256.to_owned(), problem);
            }
            if let Some(problem) = self.checked.get(sha256).cloned().flatten() {
                self.add(problem);
            }
            Ok(())
        })?;
        let count = listed.len() as u64;
        if count < manifest.contents.count {
            self.add(format!(
                "the list has {count} files, the manifest {}",
                manifest.contents.count
            ));
        }
        Ok(listed)
    }
}

/// Returns the contents that attachments in a SQLite file reference, and that are neither listed nor
/// named as missing or damaged in the manifest.
pub fn unlisted_contents(
    database: &Path,
    manifest: &Manifest,
    is_listed: impl Fn(&str) -> bool,
) -> Result<Vec<String>, BackupError> {
    let connection = Connection::open_immutable(database)?;
    let unavailable: HashSet<&String> = manifest
        .contents
        .missing
        .iter()
        .chain(&manifest.contents.damaged)
        .collect();
    let referenced = source::referenced(&connection, database)?.into_keys();
    Ok(referenced
        .filter(|sha256| !is_listed(sha256) && !unavailable.contains(sha256))
        .collect())
}

/// Returns what is wrong with the records in a SQLite file: its structure, its foreign keys, the number
/// of rows of its tables.
pub fn record_problems(path: &Path, manifest: &Manifest) -> Result<Vec<String>, BackupError> {
    let connection = Connection::open_immutable(path)?;
    let name = path.display();
    let mut problems: Vec<String> = connection
        .integrity_problems()?
        .into_iter()
        .map(|problem| format!("{name}: {problem}"))
        .collect();
    if !problems.is_empty() {
        return Ok(problems);
    }
    if connection.schema_version()? != Some(manifest.schema) {
        problems.push(format!(
            "{name}: its schema is not version {}",
            manifest.schema
        ));
    }
    if source::store_id(&connection)?.as_ref() != Some(&manifest.store_id) {
        problems.push(format!("{name}: it is that of another store"));
    }
    problems.extend(count_problems(&connection, manifest)?);
    Ok(problems)
}

/// Returns the tables whose number of rows is not that in the manifest.
pub fn count_problems(
    connection: &Connection,
    manifest: &Manifest,
) -> Result<Vec<String>, BackupError> {
    let actual = source::count_rows(connection)?;
    if actual.len() != manifest.tables.len() {
        return Ok(vec![format!(
            "there are {} tables, in the manifest {}",
            actual.len(),
            manifest.tables.len()
        )]);
    }
    let tables = actual.iter().zip(&manifest.tables);
    Ok(tables
        .filter(|(actual, expected)| actual != expected)
        .map(|((name, rows), (expected_name, expected))| {
            format!("table {name}: {rows} rows, in the manifest {expected} ({expected_name})")
        })
        .collect())
}
