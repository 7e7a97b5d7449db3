//! Tests of backups of small stores: copies, detected damage, restores.

mod damage;
mod replace;

use super::*;
use crate::copy::Progress;
use crate::files::contents::Contents;
use crate::files::stored_files::blob_path;
use crate::{Store, StoreLocation, Value};
use jiff::Timestamp;
use quarry_domain::administration::backup::KeepPolicy;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

struct Silent;

impl Progress for Silent {
    fn start(&mut self, _: &str, _: u64) {}
    fn advance(&mut self, _: u64) {}
    fn finish(&mut self) {}
}

/// A store with a user, in a folder with a folder of backups.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place {
            folder: tempfile::tempdir().unwrap(),
        };
        place.execute(
            "INSERT INTO users (id, type, created_on, updated_on) VALUES (1, 'User', 0, 0)",
            &[],
        );
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn execute(&self, sql: &'static str, values: &[Value]) {
        let store = Store::open(&self.path("data")).unwrap();
        let values = values.to_vec();
        store
            .write(move |db| db.execute(sql, &values).map(drop))
            .unwrap();
        store.close();
    }

    /// Attaches a file. Returns its SHA-256.
    fn attach(&self, content: &str) -> String {
        let sha256 = hex::encode(Sha256::digest(content));
        let Contents::Folder(folder) = Contents::in_data_folder(&self.path("data")) else {
            unreachable!()
        };
        let path = blob_path(&folder, &sha256);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self.execute(
            "INSERT INTO attachments (filename, filesize, author_id, created_on, content_sha256) VALUES ('a', ?1, 1, 0, ?2)",
            &[(content.len() as i64).into(), sha256.as_str().into()],
        );
        sha256
    }

    fn create_with(
        &self,
        now: &str,
        secret: &SecretCopy,
        keep: Option<&str>,
    ) -> Result<BackupReport, BackupError> {
        let location = StoreLocation::from(&self.path("data"));
        let keep = keep.map(|keep| KeepPolicy::parse(keep).unwrap());
        let request = BackupRequest {
            location: &location,
            folder: &self.path("backups"),
            configuration: None,
            secret,
            keep: keep.as_ref(),
            without_records: false,
            now: now.parse().unwrap(),
        };
        create(&request, &mut Silent)
    }

    fn create(&self, now: &str) -> BackupReport {
        self.create_with(now, &SecretCopy::Plain, None).unwrap()
    }

    fn problems(&self) -> Vec<String> {
        match verify(&self.path("backups"), None, None, &mut Silent) {
            Ok(reports) => reports
                .into_iter()
                .flat_map(|report| report.problems)
                .collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    fn restore(
        &self,
        change: impl FnOnce(&mut RestoreRequest<'_>),
    ) -> Result<PublishReport, BackupError> {
        self.restore_with(None, change)
    }

    fn restore_with(
        &self,
        passphrase: Option<&Passphrase>,
        change: impl FnOnce(&mut RestoreRequest<'_>),
    ) -> Result<PublishReport, BackupError> {
        let location = StoreLocation::from(&self.path("restored"));
        let folder = self.path("backups");
        let mut request = RestoreRequest {
            folder: &folder,
            name: None,
            location: &location,
            secret: SecretSource::Backup,
            passphrase,
            replaces: false,
            skips_damaged: false,
            now: Timestamp::UNIX_EPOCH,
        };
        change(&mut request);
        RestoredBackup::restore(&request, &mut Silent)?.publish(false)
    }

    fn count(&self, folder: &str, sql: &str) -> i64 {
        let store = Store::open(&self.path(folder)).unwrap();
        let count = store.read(|db| db.query_i64(sql, &[])).unwrap();
        store.close();
        count
    }
}

/// Returns all files below a folder, sorted.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

const COUNT_USERS: &str = "SELECT COUNT(*) FROM users";

#[test]
fn restored_store_has_records_files_and_secret_of_the_backup() {
    let place = Place::new();
    let sha256 = place.attach("content");
    let report = place.create("2026-11-27T03:00:00Z");
    assert_eq!(report.name, "2026-11-27T030000Z");
    assert_eq!(
        (report.new_contents, report.manifest.contents.count),
        ((1, 7), 1)
    );
    place.execute(
        "INSERT INTO users (id, type, login, created_on, updated_on) VALUES (2, 'User', 'b', 0, 0)",
        &[],
    );
    assert!(place.problems().is_empty(), "{:?}", place.problems());
    place.restore(|_| {}).unwrap();
    assert_eq!(place.count("restored", COUNT_USERS), 1);
    let content = place
        .path("restored/files")
        .join(&sha256[..2])
        .join(&sha256);
    assert_eq!(std::fs::read_to_string(content).unwrap(), "content");
    let secret = |folder: &str| std::fs::read(place.path(folder).join("secret")).unwrap();
    assert_eq!(secret("restored"), secret("data"));
    assert!(!place.path("restored/restoring").exists());
}

#[test]
fn second_backup_copies_only_new_files_and_no_other_store_uses_the_folder() {
    let place = Place::new();
    place.attach("first");
    place.create("2026-11-27T03:00:00Z");
    place.attach("second!");
    let second = place.create("2026-11-27T03:00:00Z");
    assert_eq!(
        (second.new_contents, second.manifest.contents.count),
        ((1, 7), 2)
    );
    assert_eq!(second.name, "2026-11-27T030000Z-2");
    let other = Store::open(&place.path("other")).unwrap();
    other.close();
    std::fs::rename(place.path("data"), place.path("former")).unwrap();
    std::fs::rename(place.path("other"), place.path("data")).unwrap();
    let refused = place.create_with("2026-11-28T03:00:00Z", &SecretCopy::Omit, None);
    assert!(
        matches!(refused, Err(BackupError::OtherStore(_))),
        "{refused:?}"
    );
}

#[test]
fn encrypted_secret_needs_its_passphrase_and_omitted_one_a_file() {
    let place = Place::new();
    let write = |name: &str, text: &str| {
        std::fs::write(place.path(name), text).unwrap();
        place.path(name)
    };
    let passphrase = Passphrase::from_file(&write("p", "correct horse battery")).unwrap();
    let wrong = Passphrase::from_file(&write("q", "wrong horse battery")).unwrap();
    let secret = std::fs::read_to_string(place.path("data/secret")).unwrap();
    let encrypt = SecretCopy::Encrypt(passphrase.clone());
    place
        .create_with("2026-11-27T03:00:00Z", &encrypt, None)
        .unwrap();
    for path in files_below(&place.path("backups")) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            memchr::memmem::find(&bytes, secret.trim().as_bytes()).is_none(),
            "{}",
            path.display()
        );
    }
    let check = |passphrase| verify(&place.path("backups"), None, Some(passphrase), &mut Silent);
    assert!(check(&passphrase).unwrap()[0].problems.is_empty());
    let report = &check(&wrong).unwrap()[0];
    assert!(report.has_other_passphrase && report.problems.is_empty());
    assert!(matches!(
        place.restore(|_| {}),
        Err(BackupError::NoPassphrase(_))
    ));
    let refused = place.restore_with(Some(&wrong), |_| {});
    assert!(matches!(refused, Err(BackupError::WrongPassphrase(_))));
    place.restore_with(Some(&passphrase), |_| {}).unwrap();
    assert_eq!(
        std::fs::read_to_string(place.path("restored/secret")).unwrap(),
        secret
    );

    let omitted = place
        .create_with("2026-11-28T03:00:00Z", &SecretCopy::Omit, None)
        .unwrap();
    assert!(omitted.manifest.left_out.contains_key("secret"));
    std::fs::remove_dir_all(place.path("restored")).unwrap();
    assert!(matches!(place.restore(|_| {}), Err(BackupError::NoSecret)));
    assert!(!place.path("restored").exists());
    std::fs::create_dir(place.path("restored")).unwrap();
    assert!(matches!(place.restore(|_| {}), Err(BackupError::NoSecret)));
    assert!(place.path("restored").exists());
    let other = write("other", &"ab".repeat(32));
    let refused = place.restore(|request| request.secret = SecretSource::File(other));
    assert!(matches!(refused, Err(BackupError::OtherSecret(_))));
    let kept = place.path("data/secret");
    place
        .restore(|request| request.secret = SecretSource::File(kept))
        .unwrap();
    std::fs::remove_dir_all(place.path("restored")).unwrap();
    place
        .restore(|request| request.secret = SecretSource::New)
        .unwrap();
    assert_ne!(
        std::fs::read_to_string(place.path("restored/secret")).unwrap(),
        secret
    );
}

#[test]
fn problems_of_one_backup_do_not_prevent_the_check_of_the_next() {
    let place = Place::new();
    let encrypt = |name: &str| {
        let path = place.path(name);
        std::fs::write(&path, format!("{name} horse battery")).unwrap();
        Passphrase::from_file(&path).unwrap()
    };
    let [first, second] = ["first", "second"].map(encrypt);
    for (time, passphrase) in [
        ("2026-11-25T03:00:00Z", &first),
        ("2026-11-26T03:00:00Z", &second),
        ("2026-11-27T03:00:00Z", &second),
    ] {
        let secret = SecretCopy::Encrypt(passphrase.clone());
        place.create_with(time, &secret, None).unwrap();
    }
    // A list that cannot be read, and a manifest that is missing.
    place.create("2026-11-28T03:00:00Z");
    let backups = place.path("backups");
    std::fs::remove_file(backups.join("2026-11-26T030000Z/contents.sha256")).unwrap();
    std::fs::remove_file(backups.join("2026-11-28T030000Z/manifest.json")).unwrap();
    let reports = verify(&backups, None, Some(&second), &mut Silent).unwrap();
    let outcomes: Vec<_> = reports
        .iter()
        .map(|report| (report.has_other_passphrase, report.problems.len()))
        .collect();
    assert_eq!(outcomes, [(true, 0), (false, 1), (false, 0), (false, 1)]);
}

#[test]
fn old_backups_are_deleted_with_the_files_that_no_other_has() {
    let place = Place::new();
    let first = place.attach("first");
    place.create("2026-11-25T03:00:00Z");
    place.execute("DELETE FROM attachments", &[]);
    let second = place.attach("second");
    place.create("2026-11-26T03:00:00Z");
    let content = |sha256: &str| place.path("backups/files").join(&sha256[..2]).join(sha256);
    assert!(content(&first).exists());
    let report = place
        .create_with("2026-11-27T03:00:00Z", &SecretCopy::Plain, Some("2d"))
        .unwrap();
    assert_eq!(
        (report.deleted, report.deleted_contents),
        (vec!["2026-11-25T030000Z".to_owned()], (1, 5))
    );
    assert!(!content(&first).exists() && content(&second).exists());
    assert_eq!(place.problems(), [""; 0]);
    // The files of a backup whose list is damaged are not known.
    let list = place.path("backups/2026-11-27T030000Z/contents.sha256");
    std::fs::write(&list, "").unwrap();
    place.execute("DELETE FROM attachments", &[]);
    let report = place
        .create_with("2026-11-28T03:00:00Z", &SecretCopy::Plain, Some("2d"))
        .unwrap();
    assert!(report.problem.is_some() && content(&second).exists());
}

#[test]
fn what_an_interrupted_backup_has_left_is_removed() {
    let place = Place::new();
    place.attach("content");
    place.create("2026-11-27T03:00:00Z");
    let orphan = place.path("backups/files/ab").join("ab".repeat(32));
    std::fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    std::fs::write(&orphan, "of an interrupted backup").unwrap();
    std::fs::create_dir(place.path("backups/incomplete")).unwrap();
    std::fs::write(place.path("backups/incomplete/quarry.sqlite3"), "half").unwrap();
    assert_eq!(place.problems(), [""; 0]);
    let report = place.create("2026-11-28T03:00:00Z");
    assert_eq!(report.deleted_contents, (1, 24));
    assert!(!orphan.exists() && !place.path("backups/incomplete").exists());
    assert_eq!(list(&place.path("backups")).unwrap().len(), 2);
}
