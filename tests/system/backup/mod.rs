//! Backups by the real program: `quarry backup`, `quarry restore`, those of the schedule, and the copy
//! before an upgrade.

mod additions;
mod api;
mod commands;
mod damages;
mod interrupted;
mod kill;
mod postgres;
mod schedule;
mod upgrade;
mod writes;

use crate::postgres::site::request;
use quarry_world::data_folder::{KEY, prepare};
use quarry_world::process::{Service, message, quarry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;

/// Data folders and backups in one folder.
pub struct Place {
    root: tempfile::TempDir,
}

impl Place {
    /// Creates a data folder `data` with the administrator, a project and the REST API on.
    pub fn new() -> Place {
        let place = Place {
            root: tempfile::tempdir().unwrap(),
        };
        let service = place.serve("data");
        service.terminate();
        assert!(service.ended().0.success());
        prepare(&place.path("data"));
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Starts a service on a data folder.
    pub fn serve(&self, data: &str) -> Service {
        Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(self.path(data)))
    }

    /// Runs a command on a data folder.
    pub fn run(&self, data: &str, arguments: &[&str]) -> Output {
        quarry_world::process::run(&self.path(data), arguments)
    }

    /// Makes a backup with the secret in the folder `backups`. Returns what was printed.
    #[track_caller]
    pub fn back_up(&self, options: &[&str]) -> String {
        let backups = self.text("backups");
        message(&self.run(
            "data",
            &[&["backup", &backups, "--secret"], options].concat(),
        ))
    }

    /// Restores the latest backup into a data folder. Returns what was printed.
    #[track_caller]
    pub fn restore(&self, data: &str, options: &[&str]) -> String {
        let backups = self.text("backups");
        message(&self.run(data, &[&["restore", &backups], options].concat()))
    }

    /// Lists the backups.
    pub fn list(&self) -> Vec<Value> {
        let backups = self.text("backups");
        let printed = message(&self.run("data", &["backup", "list", &backups, "--json"]));
        serde_json::from_str(&printed).unwrap()
    }

    /// Asserts that each backup is intact.
    #[track_caller]
    pub fn verify(&self) {
        let backups = self.text("backups");
        message(&self.run("data", &["backup", "verify", &backups]));
    }
}

/// Returns the exit code and what was printed to standard error.
pub fn failure(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

/// Attaches a file with this content to a new issue. Returns the id of the issue.
pub fn attach(service: &Service, content: &[u8]) -> i64 {
    let key = format!("X-Service-API-Key: {KEY}");
    let headers = [&key, "Content-Type: application/octet-stream"];
    let line = "POST /uploads.json?filename=a.txt";
    let uploaded = request(&service.address, line, &headers, content).unwrap();
    assert_eq!(uploaded.status, 201, "{uploaded:?}");
    let token = uploaded.json()["upload"]["token"].clone();
    let issue = json!({"issue": {
        "project_id": "one", "subject": "with a file", "uploads": [{"token": token, "filename": "a.txt"}],
    }});
    let headers = [&key, "Content-Type: application/json"];
    let body = issue.to_string();
    let created = request(
        &service.address,
        "POST /issues.json",
        &headers,
        body.as_bytes(),
    )
    .unwrap();
    assert_eq!(created.status, 201, "{created:?}");
    created.json()["issue"]["id"].as_i64().unwrap()
}

/// Returns all files below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
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
