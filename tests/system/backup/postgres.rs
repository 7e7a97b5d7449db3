//! Backups of a PostgreSQL database, by `pg_dump` and `pg_restore`.

use super::failure;
use crate::postgres::site::{Site, download, run_on, upload};
use quarry_world::process::{message, quarry};
use std::path::Path;
use std::process::Command;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Creates a site with an attached file, backs it up, and returns it with the key of the administrator.
fn backed_up(serve: &[&str], options: &[&str]) -> Option<(Site, String, i64)> {
    let (site, key) = Site::initialized(serve)?;
    let service = site.start("a", serve);
    let id = upload(&service.address, &key, b"a file").unwrap();
    service.terminate();
    assert!(service.ended().0.success());
    let backups = site.root.path().join("backups");
    let arguments = [&["backup", text(&backups), "--secret"], options].concat();
    let printed = message(&site.run("a", &arguments));
    assert!(printed.contains(" rows, "), "{printed}");
    Some((site, key, id))
}

#[test]
fn database_is_restored_into_an_empty_one() {
    let Some((site, key, id)) = backed_up(&[], &[]) else {
        return;
    };
    let backups = site.root.path().join("backups");
    message(&site.run("a", &["backup", "verify", text(&backups)]));
    let (code, error) = failure(&site.run("new", &["restore", text(&backups)]));
    assert!(code == Some(2) && error.contains("is not empty"), "{error}");
    let (code, error) = failure(
        &quarry(&["restore", text(&backups), "--data"])
            .arg(site.root.path().join("other"))
            .output()
            .unwrap(),
    );
    assert!(
        code == Some(2) && error.contains("PostgreSQL database"),
        "{error}"
    );
    let empty = Site::empty().unwrap();
    let printed = message(&run_on(
        &empty.url(),
        &empty.root.path().join("new"),
        &["restore", text(&backups)],
    ));
    assert!(printed.contains("the index has all"), "{printed}");
    let restored = empty.start("new", &[]);
    assert_eq!(
        download(&restored.address, &key, id, &[]).unwrap().body,
        b"a file"
    );
    restored.terminate();
    assert!(restored.ended().0.success());
    let count = "SELECT COUNT(*) FROM users";
    assert_eq!(empty.query(count), site.query(count));
}

#[test]
fn shared_folder_of_files_is_backed_up_with_the_database() {
    let shared = tempfile::tempdir().unwrap();
    let files = text(shared.path());
    let Some((site, key)) = Site::initialized(&["--files", files]) else {
        return;
    };
    let service = site.start("a", &["--files", files]);
    let id = upload(&service.address, &key, b"a shared file").unwrap();
    service.terminate();
    assert!(service.ended().0.success());
    let backups = site.root.path().join("backups");
    let run = |site: &Site, data: &str, arguments: &[&str]| {
        let mut command = quarry(arguments);
        command
            .args(["--store", &site.url(), "--data"])
            .arg(site.root.path().join(data));
        command
    };
    let (_, error) = failure(
        &run(&site, "a", &["backup", text(&backups)])
            .output()
            .unwrap(),
    );
    assert!(error.contains("`files` in the configuration"), "{error}");
    let mut command = run(&site, "a", &["backup", text(&backups), "--secret"]);
    message(&command.env("QUARRY_FILES", files).output().unwrap());
    let empty = Site::empty().unwrap();
    let target = tempfile::tempdir().unwrap();
    let arguments = ["restore", text(&backups), "--files", text(target.path())];
    message(&run(&empty, "new", &arguments).output().unwrap());
    let restored = empty.start("new", &["--files", text(target.path())]);
    assert_eq!(
        download(&restored.address, &key, id, &[]).unwrap().body,
        b"a shared file"
    );
}

#[test]
fn records_are_left_out_only_on_request_and_no_password_is_in_the_arguments() {
    let Some((site, _)) = Site::initialized(&[]) else {
        return;
    };
    let backups = site.root.path().join("backups");
    let programs = site.root.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = quarry(arguments);
        command
            .args(["--store", &site.url(), "--data"])
            .arg(site.root.path().join("a"))
            .env("PATH", &programs);
        command.output().unwrap()
    };
    let (code, error) = failure(&run(&["backup", text(&backups)]));
    assert!(
        code == Some(1) && error.contains("pg_dump is not installed"),
        "{error}"
    );
    assert!(
        !String::from_utf8_lossy(&run(&["backup", "list", text(&backups)]).stdout).contains("Z")
    );
    let printed = message(&run(&[
        "backup",
        text(&backups),
        "--without-records",
        "--secret",
    ]));
    assert!(
        printed.contains("left out: records (back up the database"),
        "{printed}"
    );
    let events = message(&run(&["audit", "list", "--kind", "backup"]));
    assert!(events.contains(", without records"), "{events}");
    let (code, error) = failure(&run(&["restore", text(&backups)]));
    assert!(
        code == Some(2) && error.contains("has no records"),
        "{error}"
    );
    // A program in its place fails, and prints its arguments.
    let script = programs.join("pg_dump");
    std::fs::write(&script, "#!/bin/sh\necho \"arguments: $*\" >&2\nexit 3\n").unwrap();
    let made = Command::new("chmod")
        .arg("755")
        .arg(&script)
        .status()
        .unwrap();
    assert!(made.success());
    let (code, error) = failure(&run(&["backup", text(&backups)]));
    assert!(
        code == Some(1) && error.contains("pg_dump has failed: arguments: --format=custom"),
        "{error}"
    );
    let url = site.url();
    let password = url
        .split_once("://")
        .and_then(|(_, rest)| rest.split_once('@'))
        .and_then(|(user, _)| user.split_once(':'));
    if let Some((_, password)) = password {
        assert!(!error.contains(password), "{error}");
    }
    assert!(!backups.join("incomplete").exists());
}
