//! Python with packages of others, installed once, below the target directory.

use crate::target_folder;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Returns a Python with these packages in a virtual environment of this name, or the reason why
/// there is none.
pub fn with_packages(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target_folder::temporary_files().join(name);
    let python = folder.join("bin/python");
    let done = folder.join("installed");
    let wanted = packages.join(" ");
    if std::fs::read_to_string(&done).is_ok_and(|what| what == wanted)
        && succeeded(Command::new(&python).arg("--version")).is_ok()
    {
        return Ok(python);
    }
    succeeded(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )
    .map_err(|problem| {
        format!("no virtual environment for Python (on Debian python3-venv): {problem}")
    })?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--timeout",
        "15",
        "--retries",
        "1",
    ];
    succeeded(Command::new(&python).args(pip).args(packages))
        .map_err(|problem| format!("no {wanted}: {problem}"))?;
    std::fs::write(done, wanted).map_err(|problem| problem.to_string())?;
    Ok(python)
}

/// Runs a command and returns its last line of errors if it failed.
fn succeeded(command: &mut Command) -> Result<(), String> {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .stdin(Stdio::null())
        .output()
        .map_err(|problem| problem.to_string())?;
    let text = String::from_utf8_lossy(if stderr.is_empty() { &stdout } else { &stderr })
        .trim()
        .to_owned();
    if status.success() {
        Ok(())
    } else {
        Err(text.lines().last().unwrap_or("it failed").to_owned())
    }
}
