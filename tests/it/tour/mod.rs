//! A client that others wrote for Redmine, python-redmine as it is published, against the real program: `tour.py` says what it
//! does. It is installed once, below the target folder; where there is no Python or no package index, the test says so and passes.

use crate::cli::process::{Service, quarry, run, told};
use crate::import::world::{fixture, import};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What is installed. The version is named, so that a new one is met when somebody raises the number, not on any day.
const CLIENT: &str = "python-redmine==2.5.0";
const TOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tour/tour.py");

#[test]
fn a_client_that_was_written_for_redmine_goes_on_tour() {
    let python = match installed() {
        Ok(python) => python,
        Err(reason) => return println!("NOT TESTED with python-redmine: {reason}"),
    };
    let folder = tempfile::tempdir().unwrap();
    // Exit code 1: the contents of the files are missing, and that is said.
    let _ = import(folder.path(), &fixture(), &[]);
    told(&run(folder.path(), &["setting", "set", "rest_api_enabled", "1"]));
    // The host of the Redmine came along; the client follows links to this one.
    told(&run(folder.path(), &["setting", "set", "host_name", ""]));
    let service = Service::start(quarry(&["serve", "--log", "error", "--data"]).arg(folder.path()));
    // The service is on this machine, whatever way the environment has to others.
    let tour =
        Command::new(python).args(["-B", TOUR, &format!("http://{}", service.address)]).env("NO_PROXY", "127.0.0.1").output().unwrap();
    let said = String::from_utf8_lossy(&tour.stdout);
    println!("{said}");
    assert!(tour.status.success(), "{said}{}", String::from_utf8_lossy(&tour.stderr));
    assert!(said.contains("\nsearching: goes well\n"), "the tour has begun, and gone on: {said}");
    service.terminate();
    let (status, logged) = service.ended();
    assert!(status.success() && logged.is_empty(), "{logged}");
}

/// A Python that knows the client, or why there is none.
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

/// Runs a command; what it complained of last, if it failed.
fn succeeded(command: &mut Command) -> Result<(), String> {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().map_err(|problem| problem.to_string())?;
    let said = String::from_utf8_lossy(if stderr.is_empty() { &stdout } else { &stderr }).trim().to_owned();
    if status.success() { Ok(()) } else { Err(said.lines().last().unwrap_or("it failed").to_owned()) }
}
