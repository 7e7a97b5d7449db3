//! Permissions of the files on disk, and the need for the secret.

#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use quarry_world::process::{Service, message, quarry, response, run, through_shell};
use quarry_world::redmine_import::fixture;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the program with these arguments and umask 0.
fn with_open_mask(arguments: &[&str]) -> Command {
    through_shell("umask 000; exec \"$0\" \"$@\"", &quarry(arguments))
}

/// Returns the directory and its contents with their modes.
fn modes(path: &Path, found: &mut Vec<(String, u32)>) {
    let about = match std::fs::metadata(path) {
        // The service has removed it meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        about => about.unwrap(),
    };
    let kind = if about.is_dir() { "folder" } else { "file" };
    found.push((
        format!("{kind} {}", path.display()),
        about.permissions().mode() & 0o777,
    ));
    if about.is_dir() {
        std::fs::read_dir(path)
            .unwrap()
            .for_each(|entry| modes(&entry.unwrap().path(), found));
    }
}

#[track_caller]
fn assert_closed(path: &Path) {
    let mut found = Vec::new();
    modes(path, &mut found);
    assert!(found.len() >= 5, "{found:?}");
    for (name, mode) in found {
        assert_eq!(
            mode,
            if name.starts_with("folder") {
                0o700
            } else {
                0o600
            },
            "{name}"
        );
    }
}

/// Makes the directory and its contents accessible to everybody, as a copy may have left them.
fn open_to_everybody(path: &Path) {
    let is_dir = path.is_dir();
    std::fs::set_permissions(
        path,
        std::fs::Permissions::from_mode(if is_dir { 0o755 } else { 0o644 }),
    )
    .unwrap();
    if is_dir {
        std::fs::read_dir(path)
            .unwrap()
            .for_each(|entry| open_to_everybody(&entry.unwrap().path()));
    }
}

fn upload(service: &Service, key: &str) {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let head = format!(
        "POST /uploads.json?filename=a.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {key}\r\n"
    );
    write!(
        stream,
        "{head}Content-Type: application/octet-stream\r\nContent-Length: 3\r\n\r\nabc"
    )
    .unwrap();
    assert_eq!(response(stream).0, 201);
}

#[test]
fn files_are_private_whatever_the_umask() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let index = folder.path().join("elsewhere/index");
    let places = [
        "--data",
        data.to_str().unwrap(),
        "--index",
        index.to_str().unwrap(),
    ];
    let serve = || {
        Service::start(&mut with_open_mask(
            &[&["serve"], places.as_slice()].concat(),
        ))
    };
    let service = serve();
    message(&run(&data, &["setting", "set", "rest_api_enabled", "1"]));
    upload(&service, &message(&run(&data, &["user", "key", "admin"])));
    assert!(data.join("quarry.sqlite3-wal").exists() && index.join("CURRENT").exists());
    assert_closed(&data);
    assert_closed(&index);
    service.terminate();
    assert!(service.ended().0.success());
    open_to_everybody(&data);
    open_to_everybody(&index);
    let _service = serve();
    assert_closed(&data);
    assert_closed(&index);
}

#[test]
fn imported_files_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let report = folder.path().join("report.json");
    std::fs::write(&report, "").unwrap();
    open_to_everybody(&report);
    let source = fixture();
    let import = [
        "import",
        "redmine",
        "--database",
        &source,
        "--data",
        data.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
    ];
    message(&with_open_mask(&import).output().unwrap());
    assert_closed(&data);
    assert_eq!(
        std::fs::metadata(&report).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

/// Returns the paths in a folder that do not belong to this user, with their owners.
fn of_others(folder: &Path, user: u32, found: &mut Vec<(PathBuf, u32)>) {
    let metadata = std::fs::symlink_metadata(folder).unwrap();
    if metadata.uid() != user {
        found.push((folder.to_owned(), metadata.uid()));
    }
    if metadata.is_dir() {
        for entry in std::fs::read_dir(folder).unwrap() {
            of_others(&entry.unwrap().path(), user, found);
        }
    }
}

#[test]
fn files_that_root_creates_belong_to_the_owner_of_the_data_folder() {
    const OWNER: u32 = 65534;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).display().to_string();
    for name in ["data", "restored", "copy"] {
        std::fs::create_dir(path(name)).unwrap();
        if std::os::unix::fs::chown(path(name), Some(OWNER), Some(OWNER)).is_err() {
            println!("NOT TESTED: only root gives folders to others");
            return;
        }
    }
    // Such as the configuration that an administrator protects from the service.
    let own = path("data").join("quarry.toml");
    std::fs::write(&own, "log = \"info\"\n").unwrap();
    let outside = path("outside");
    std::fs::write(&outside, "x").unwrap();
    let backups = text("backups");
    let source = fixture();
    for arguments in [
        &[
            "import",
            "redmine",
            "--database",
            &source,
            "--index",
            &text("index"),
        ][..],
        &["index", "rebuild"],
        &["setting", "set", "app_title", "Tracker"],
        &["backup", &backups, "--secret"],
        &["restore", &backups, "--data", &text("restored")],
        &["restore", &backups, "--data", &text("restored"), "--force"],
        &[
            "store",
            "copy",
            "--from",
            &text("data"),
            "--to",
            &text("copy"),
        ],
    ] {
        if arguments[0] == "index" {
            std::os::unix::fs::symlink(&outside, path("data").join("link")).unwrap();
        }
        let data = ["--data", &text("data")];
        let has_data = arguments.contains(&"--data");
        let command = [arguments, if has_data { &[] } else { &data[..] }].concat();
        let printed = message(&quarry(&command).output().unwrap());
        if arguments[0] == "store" {
            let hint = "no search index yet; the service builds it when it starts on the copy";
            assert!(printed.contains(hint), "{printed}");
        }
        let mut found = Vec::new();
        for name in ["data", "index", "restored", "copy"] {
            of_others(&path(name), OWNER, &mut found);
        }
        let link = path("data").join("link");
        found.retain(|(path, _)| *path != own && *path != link);
        assert_eq!(found, [], "{arguments:?}");
    }
    let owner = |path: &Path| std::fs::metadata(path).unwrap().uid();
    assert_eq!([owner(&own), owner(&outside)], [0, 0]);
    assert!(path("copy").join("quarry.sqlite3").is_file());
}

fn status_with_key(service: &Service, key: &str) -> u16 {
    service
        .get(
            "/users/current.json",
            &[&format!("X-Service-API-Key: {key}")],
        )
        .0
}

#[test]
fn service_refuses_to_start_without_its_secret() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    let old = message(&run(folder, &["user", "key", "admin"]));
    let kept = run(folder, &["secret", "reset"]);
    assert_eq!(
        kept.status.code(),
        Some(2),
        "a secret that is there is not replaced: {kept:?}"
    );
    service.terminate();
    assert!(service.ended().0.success());
    std::fs::remove_file(folder.join("secret")).unwrap();
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["user", "key", "admin"],
        &["index", "rebuild"],
    ] {
        let output = run(folder, arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.contains(
                "secret is missing although the folder holds records: put it back from the backup"
            ),
            "{text}"
        );
        assert!(
            text.contains("`quarry secret reset`") && text.lines().count() == 1,
            "{text}"
        );
        assert_eq!(output.status.code(), Some(1));
        assert!(!folder.join("secret").exists());
    }
    assert!(
        message(&run(folder, &["secret", "reset"])).contains("`quarry user key LOGIN --reset`")
    );
    let lost = run(folder, &["user", "key", "admin"]);
    assert!(
        String::from_utf8_lossy(&lost.stderr).contains("create one with --reset"),
        "{lost:?}"
    );
    let new = message(&run(folder, &["user", "key", "admin", "--reset"]));
    assert_ne!(old, new);
    message(&run(folder, &["setting", "set", "rest_api_enabled", "1"]));
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    assert_eq!(
        [
            status_with_key(&service, &old),
            status_with_key(&service, &new)
        ],
        [401, 200]
    );
}

#[test]
fn service_refuses_to_start_with_the_secret_of_another_folder() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in &folders {
        let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
        service.terminate();
        assert!(service.ended().0.success());
    }
    let [own, other] = folders
        .each_ref()
        .map(|folder| folder.path().join("secret"));
    let kept = std::fs::read(&own).unwrap();
    std::fs::copy(other, &own).unwrap();
    let folder = folders[0].path();
    let refuses = || {
        let output = run(folder, &["serve", "--listen", "127.0.0.1:0"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.contains("secret is not the secret of the records in"),
            "{text}"
        );
    };
    refuses();
    // A folder of an earlier version, which has no fingerprint: its API keys tell.
    let sql = "DELETE FROM secret_fingerprints";
    let database = rusqlite::Connection::open(folder.join("quarry.sqlite3")).unwrap();
    database.execute(sql, []).unwrap();
    refuses();
    std::fs::write(&own, kept).unwrap();
    let start = || {
        let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
        service.terminate();
        assert!(service.ended().0.success());
    };
    start();
    // A new secret is that of the records from then on.
    std::fs::remove_file(&own).unwrap();
    message(&run(folder, &["secret", "reset"]));
    start();
}
