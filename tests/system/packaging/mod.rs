//! What `packaging/` makes: the units of systemd, the packages, the image, the workflow of a release.

mod container;
mod crates;
mod files;
mod units;
mod workflows;

use quarry_world::environment::not_installed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a path in the repository.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns a text file of the repository.
fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

/// Whether a program is installed. Without it, the test says that it is skipped.
#[track_caller]
fn is_installed(program: &str, package: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap();
    let is_installed = std::env::split_paths(&folders).any(|folder| folder.join(program).exists());
    if !is_installed {
        not_installed(program, package);
    }
    is_installed
}

/// Runs a command, and returns what it prints; asserts success.
#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}
