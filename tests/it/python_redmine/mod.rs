//! python-redmine, a client written for Redmine, against the real program; `client.py` has the steps.
//! It is installed once, below the target directory; without Python or a package index the test prints that and passes.

use crate::cli::process::{Service, message, quarry, run};
use crate::import::complete::{fixture, import};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The installed version; fixed, so that a new release cannot break the test.
const CLIENT: &str = "python-redmine==2.5.0";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/python_redmine/client.py");

#[test]
fn python_redmine_client_works() {
    let python = match installed() {
        Ok(python) => python,
        Err(reason) => return println!("NOT TESTED with python-redmine: {reason}"),
    };
    let folder = tempfile::tempdir().unwrap();
    // Exit code 1: the contents of the files are missing and reported.
    let _ = import(folder.path(), &fixture(), &[]);
    message(&run(folder.path(), &["setting", "set", "rest_api_enabled", "1"]));
    // The imported host name is that of the Redmine; the client follows links to this service.
    message(&run(folder.path(), &["setting", "set", "host_name", ""]));
    let service = Service::start(quarry(&["serve", "--log", "error", "--data"]).arg(folder.path()));
    // The service is local; proxies of the environment do not apply.
    let tour =
        Command::new(python).args(["-B", SCRIPT, &format!("http://{}", service.address)]).env("NO_PROXY", "127.0.0.1").output().unwrap();
    let text = String::from_utf8_lossy(&tour.stdout);
    println!("{text}");
    assert!(tour.status.success(), "{text}{}", String::from_utf8_lossy(&tour.stderr));
    assert!(text.contains("\nsearching: goes well\n"), "the tour has begun, and gone on: {text}");
    service.terminate();
    let (status, logged) = service.ended();
    assert!(status.success() && logged.is_empty(), "{logged}");
}

/// Returns a Python with the client, or the reason why there is none.
fn installed() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-redmine");
    let (python, done) = (folder.join("bin/python"), folder.join("installed"));
    if std::fs::read_to_string(&done).is_ok_and(|what| what == CLIENT) && succeeded(Command::new(&python).arg("--version")).is_ok() {
        return Ok(python);
    }
    succeeded(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .map_err(|problem| format!("no virtual environment for Python (on Debian python3-venv): {problem}"))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "15", "--retries", "1", CLIENT];
    succeeded(Command::new(&python).args(pip)).map_err(|problem| format!("no {CLIENT}: {problem}"))?;
    std::fs::write(done, CLIENT).map_err(|problem| problem.to_string())?;
    Ok(python)
}

/// Runs a command and returns its last line of errors if it failed.
fn succeeded(command: &mut Command) -> Result<(), String> {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().map_err(|problem| problem.to_string())?;
    let text = String::from_utf8_lossy(if stderr.is_empty() { &stdout } else { &stderr }).trim().to_owned();
    if status.success() { Ok(()) } else { Err(text.lines().last().unwrap_or("it failed").to_owned()) }
}
