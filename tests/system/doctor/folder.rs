//! Data folders that damage is planted into: copies of one that the real demo has filled.

use quarry_world::process::{Service, quarry};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

/// The content of the attachment.
const CONTENT: &str = "the content of an upload";

/// A healthy folder with an attachment.
static TEMPLATE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = Service::start(quarry(&["demo", "--data"]).arg(&data));
    quarry_world::wait::until(quarry_world::wait::TIMEOUT, "the index is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    service.terminate();
    assert!(service.ended().0.success());
    let copy = Folder {
        folder: tempfile::tempdir().unwrap(),
    };
    copy_tree(&data, &copy.root());
    let sha256 = digest();
    let blob = copy.blob();
    fs::create_dir_all(blob.parent().unwrap()).unwrap();
    fs::write(&blob, CONTENT).unwrap();
    copy.sql(&format!(
        "INSERT INTO attachments (filename, filesize, author_id, created_on, digest, content_sha256) \
         VALUES ('upload.txt', {}, 1, {}, '{sha256}', '{sha256}')",
        CONTENT.len(),
        now().as_micros()
    ));
    copy.folder
});

#[allow(
    clippy::disallowed_methods,
    reason = "the real program has the real clock"
)]
pub fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
}

fn digest() -> String {
    hex::encode(Sha256::digest(CONTENT))
}

/// A data folder of its own.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    /// Returns a healthy folder.
    pub fn new() -> Folder {
        let folder = Folder {
            folder: tempfile::tempdir().unwrap(),
        };
        copy_tree(&TEMPLATE.path().join("data"), &folder.root());
        folder
    }

    /// Returns the data folder.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns a path in the data folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Returns the path of the content of the attachment.
    pub fn blob(&self) -> PathBuf {
        let sha256 = digest();
        self.path(&format!("files/{}/{sha256}", &sha256[..2]))
    }

    /// Runs a command on the folder.
    pub fn run(&self, arguments: &[&str]) -> Output {
        quarry(arguments)
            .arg("--data")
            .arg(self.root())
            .output()
            .unwrap()
    }

    /// Runs the doctor.
    pub fn doctor(&self, arguments: &[&str]) -> Output {
        let mut all = vec!["doctor"];
        all.extend_from_slice(arguments);
        self.run(&all)
    }

    /// Adds keys to the configuration.
    pub fn configure(&self, lines: &str) {
        let path = self.path("quarry.toml");
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, format!("{text}{lines}\n")).unwrap();
    }

    /// Runs SQL without checking foreign keys.
    #[allow(
        clippy::disallowed_methods,
        reason = "the statements are the tests' own"
    )]
    pub fn sql(&self, statements: &str) {
        let connection = rusqlite::Connection::open(self.path("quarry.sqlite3")).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection
            .execute_batch(&format!("PRAGMA foreign_keys = OFF; {statements}"))
            .unwrap();
    }

    /// Runs a statement and leaves what it writes in the log, as a process that is killed does.
    #[expect(
        clippy::disallowed_methods,
        reason = "the statements are the tests' own"
    )]
    pub fn sql_in_log(&self, statement: &str) {
        use rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        let connection = rusqlite::Connection::open(self.path("quarry.sqlite3")).unwrap();
        connection
            .set_db_config(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .unwrap();
        connection.execute(statement, []).unwrap();
    }

    /// Returns a number of the records.
    pub fn number(&self, sql: &str) -> u64 {
        #[expect(
            clippy::disallowed_methods,
            reason = "the statements are the tests' own"
        )]
        let connection = rusqlite::Connection::open(self.path("quarry.sqlite3")).unwrap();
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
            .try_into()
            .unwrap()
    }
}

/// Copies a folder with its modes.
pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Makes a file two hours old.
pub fn make_old(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    let time = SystemTime::UNIX_EPOCH + now() - Duration::from_secs(7200);
    file.set_modified(time).unwrap();
}

/// Parses the output of `--json`.
#[track_caller]
pub fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}
