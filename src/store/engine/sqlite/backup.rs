//! Copies SQLite files, and checks the copies.
//!
//! A copy is made with SQLite's backup interface within one read transaction. Without it, every write of
//! another process would make the copy start over. In a write-ahead log, readers do not block writers.

use super::Connection;
use super::connection::unusable;
use crate::engine::{OpenError, StatementError};
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use rusqlite::OpenFlags;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of pages that are copied at a time.
const PAGES_PER_STEP: c_int = 1024;
/// Time between two attempts while the file is locked.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// Maximum number of attempts in a row.
const MAX_ATTEMPTS: u32 = 200;
/// Maximum number of problems of each kind.
const MAX_PROBLEMS: u32 = 20;
/// The characters of a path that are special in a URI.
const IN_URI: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'%').add(b'?');

impl Connection {
    /// Opens a file that nobody writes. Creates no other files, and takes no locks. A log is ignored.
    pub fn open_immutable(path: &Path) -> Result<Connection, OpenError> {
        Self::open_uri(path, "immutable=1", "")
    }

    /// Opens a file that nobody writes, with its log, as a process that was killed may have left it.
    /// Changes and creates no file, and takes no locks.
    ///
    /// The index of the log is built in memory, and the log is not moved into the file at the end.
    pub fn open_at_rest(path: &Path) -> Result<Connection, OpenError> {
        let log = PathBuf::from(format!("{}-wal", path.display()));
        if !log.metadata().is_ok_and(|file| file.len() > 0) {
            return Self::open_immutable(path);
        }
        let mut connection =
            Self::open_uri(path, "vfs=unix-none", "PRAGMA locking_mode = EXCLUSIVE;")?;
        connection
            .inner()
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    fn open_uri(path: &Path, parameters: &str, settings: &str) -> Result<Connection, OpenError> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let uri = format!(
            "file://{}?{parameters}",
            percent_encode(absolute.as_os_str().as_encoded_bytes(), IN_URI)
        );
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let connection = Self::open(Path::new(&uri), flags)?;
        connection
            .execute_batch(&format!(
                "{settings} PRAGMA query_only = ON; PRAGMA cell_size_check = ON;"
            ))
            .map_err(|error| OpenError::Unusable {
                path: path.display().to_string(),
                problem: error.to_string(),
            })?;
        Ok(connection)
    }

    /// Returns what is wrong with the structure of the file, its indexes and constraints, and its foreign
    /// keys.
    pub fn integrity_problems(&self) -> Result<Vec<String>, StatementError> {
        let mut problems = Vec::new();
        let structure = format!("PRAGMA integrity_check({MAX_PROBLEMS})");
        self.for_each_row(&structure, &[], &mut |row| {
            let problem: String = row.next()?;
            if problem != "ok" {
                problems.push(problem);
            }
            Ok(())
        })?;
        let keys = format!(
            "SELECT \"table\", COALESCE(rowid, 0), parent FROM pragma_foreign_key_check LIMIT {MAX_PROBLEMS}"
        );
        self.for_each_row(&keys, &[], &mut |row| {
            let (table, id, parent): (String, i64, String) =
                (row.next()?, row.next()?, row.next()?);
            problems.push(format!(
                "row {id} of {table} references a missing row of {parent}"
            ));
            Ok(())
        })?;
        Ok(problems)
    }
}

/// Copies a file, see [`copy_file`](crate::engine::copy_file).
pub fn copy_file(
    source: &Path,
    target: &Path,
    go_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<bool, StatementError> {
    let open = |error: OpenError| StatementError::Engine(error.to_string());
    let mut from = Connection::open_reader(source).map_err(open)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut to = Connection::open(target, flags).map_err(open)?;
    // The caller syncs the copy, and deletes an incomplete one.
    to.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    from.begin_read()?;
    // The transaction begins with the first page that is read.
    from.for_each_row("SELECT COUNT(*) FROM sqlite_schema", &[], &mut |_| Ok(()))?;
    let is_complete = {
        let backup = Backup::new(from.inner(), to.inner())
            .map_err(|error| open(unusable(target, &error)))?;
        run(&backup, go_on)?
    };
    from.end_read()?;
    Ok(is_complete)
}

fn run(
    backup: &Backup<'_, '_>,
    go_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<bool, StatementError> {
    let mut attempts = 0;
    loop {
        match backup.step(PAGES_PER_STEP)? {
            StepResult::Done => return Ok(true),
            StepResult::More => attempts = 0,
            _ if attempts < MAX_ATTEMPTS => {
                attempts += 1;
                std::thread::sleep(RETRY_DELAY);
            }
            _ => return Err(StatementError::Engine("the database is locked".to_owned())),
        }
        let progress = backup.progress();
        let pages = |count: c_int| u64::try_from(count).unwrap_or_default();
        let total = pages(progress.pagecount);
        if !go_on(total.saturating_sub(pages(progress.remaining)), total) {
            return Ok(false);
        }
    }
}
