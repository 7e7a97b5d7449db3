//! Dumps and restores a PostgreSQL database with `pg_dump` and `pg_restore`. Passwords are passed in
//! the environment, never in the arguments, which other users of the machine can see.

use super::contents::Referenced;
use super::error::{BackupError, file_error};
use super::{files, source};
use crate::copy::Progress;
use crate::engine::{Connection, Server};
use indexmap::IndexMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const DUMP: &str = "pg_dump";
const RESTORE: &str = "pg_restore";
/// Maximum length of the output of a program in a message, in bytes.
const MAX_OUTPUT: usize = 2000;
/// Time between checks whether a program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The number of rows of each table, and the contents that attachments reference.
type Described = (IndexMap<String, u64>, Referenced);

/// Writes the database to a file, and describes the same snapshot.
pub fn dump(
    connection: &Connection,
    server: &Server,
    path: &Path,
    progress: &mut dyn Progress,
) -> Result<Described, BackupError> {
    progress.start("records", 0);
    connection.begin_read()?;
    let snapshot = connection.export_snapshot()?.unwrap_or_default();
    let described = (
        source::count_rows(connection)?,
        source::referenced(connection, Path::new(server.name()))?,
    );
    let arguments = [
        "--format=custom".as_ref(),
        "--no-owner".as_ref(),
        "--no-privileges".as_ref(),
        "--no-password".as_ref(),
        "--snapshot".as_ref(),
        OsStr::new(&snapshot),
        "--file".as_ref(),
        path.as_os_str(),
    ];
    // The snapshot lasts as long as the transaction.
    let outcome = run(DUMP, &arguments, server, path, progress);
    connection.end_read()?;
    progress.finish();
    outcome.map(|()| described)
}

/// Fills an empty database from a file, in one transaction. `path` is copied before, so that the file is
/// not read where others may change it.
pub fn restore(
    server: &Server,
    path: &Path,
    progress: &mut dyn Progress,
) -> Result<(), BackupError> {
    progress.start("records", 0);
    let database = server.database();
    let arguments = [
        "--no-owner".as_ref(),
        "--no-privileges".as_ref(),
        "--no-password".as_ref(),
        "--exit-on-error".as_ref(),
        "--single-transaction".as_ref(),
        "--dbname".as_ref(),
        OsStr::new(&database),
        path.as_os_str(),
    ];
    let outcome = run(RESTORE, &arguments, server, path, progress);
    progress.finish();
    outcome
}

/// Runs a program to its end. Its messages go to a file in the folder of `path`, which is then
/// deleted.
fn run(
    program: &'static str,
    arguments: &[&OsStr],
    server: &Server,
    path: &Path,
    progress: &mut dyn Progress,
) -> Result<(), BackupError> {
    let log_path = path.with_extension("log");
    files::remove(&log_path)?;
    let log = files::create_private(&log_path).map_err(file_error(&log_path))?;
    let outcome = run_with_log(program, arguments, server, log, progress);
    let output = std::fs::read(&log_path).unwrap_or_default();
    files::remove(&log_path)?;
    if outcome? {
        return Ok(());
    }
    let output = &output[..output.len().min(MAX_OUTPUT)];
    let output = String::from_utf8_lossy(output);
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    Err(BackupError::Program {
        program,
        problem: lines.join(" "),
    })
}

fn run_with_log(
    program: &'static str,
    arguments: &[&OsStr],
    server: &Server,
    log: File,
    progress: &mut dyn Progress,
) -> Result<bool, BackupError> {
    let mut command = Command::new(program);
    // Variables of this process, such as PGHOST, may name another database.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    command
        .args(arguments)
        .env("LC_ALL", "C")
        .envs(server.client_variables())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => BackupError::NoProgram(program),
        _ => BackupError::File(program.to_owned(), error),
    })?;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if progress.should_continue() => std::thread::sleep(POLL_INTERVAL),
            Ok(None) => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(BackupError::Stopped);
            }
            Err(error) => return Err(BackupError::File(program.to_owned(), error)),
        }
    }
}
