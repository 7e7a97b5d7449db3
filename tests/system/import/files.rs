//! Files are imported if they are valid, and stored where the service expects them.

use super::complete::{problems, reported};
use super::loader::{copy, ours};
use quarry_world::process::message;
use quarry_world::redmine_import::{fixture, import};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::Path;

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::create_dir_all(folder.join("2026/11")).unwrap();
    std::fs::write(folder.join("2026/11").join(name), bytes).unwrap();
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn set_file(redmine: &rusqlite::Connection, id: i64, name: &str, digest: &str, size: usize) {
    let sql = "UPDATE attachments SET disk_filename = ?2, digest = ?3, filesize = ?4 WHERE id = ?1";
    redmine
        .execute(sql, rusqlite::params![id, name, digest, size as i64])
        .unwrap();
}

#[test]
fn missing_and_changed_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let files = folder.path().join("files");
    let (database, redmine) = copy(folder.path());
    let text = b"the log of an engine".as_slice();
    let old = b"from before there was SHA-256".as_slice();
    write(&files, "engine-log.txt", text);
    write(&files, "pixel.png", old);
    write(&files, "manual.pdf", b"not what it was");
    write(&files, "sketch.txt", b"seven b");
    std::fs::create_dir_all(files.join("2026/11/a-folder")).unwrap();
    set_file(&redmine, 1, "engine-log.txt", &sha256(text), text.len());
    // `md5sum` of what is written above.
    set_file(
        &redmine,
        2,
        "pixel.png",
        "5b96dac2823fb0fc50e00cd67fd9649e",
        old.len(),
    );
    set_file(&redmine, 4, "sketch.txt", "", 6);
    set_file(&redmine, 5, "a-folder", "", 7);
    set_file(&redmine, 6, "../../../etc/passwd", "", 0);
    // A dry run reports the same and copies nothing.
    redmine
        .execute(
            "UPDATE attachments SET disk_filename = 'manual.pdf' WHERE id = 3",
            [],
        )
        .unwrap();
    let more = ["--files", files.to_str().unwrap()];
    let (_, dry) = reported(
        &data,
        &database,
        &[more.as_slice(), &["--dry-run"]].concat(),
    );
    assert!(!data.exists());
    let (output, report) = reported(&data, &database, &more);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        report["files"],
        json!({"copied": 2, "missing": 3, "wrong": 2})
    );
    assert_eq!(dry["files"], report["files"]);
    let reasons: Vec<(i64, String)> = problems(&report, "attachments (content)")
        .into_iter()
        .map(|(id, _, reason)| (id, reason))
        .collect();
    let in_folder = |name: &str| files.join("2026/11").join(name).display().to_string();
    assert_eq!(
        reasons,
        [
            (
                3,
                format!(
                    "{} has another digest; imported as it is",
                    in_folder("manual.pdf")
                )
            ),
            (
                4,
                format!(
                    "{} has another size; imported as it is",
                    in_folder("sketch.txt")
                )
            ),
            (5, "2026/11/a-folder does not exist".to_owned()),
            (6, "2026/11/../../../etc/passwd does not exist".to_owned()),
            (
                7,
                "2026/11/261120225751_release-1.1.tgz does not exist".to_owned()
            ),
        ]
    );
    for (id, bytes) in [
        (1, text),
        (2, old),
        (3, b"not what it was"),
        (4, b"seven b"),
    ] {
        let digest = sha256(bytes);
        assert_eq!(
            std::fs::read(data.join("files").join(&digest[..2]).join(&digest)).unwrap(),
            bytes
        );
        let known: String = ours(&data)
            .query_row(
                "SELECT content_sha256 FROM attachments WHERE id = ?1",
                [id],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(known, digest);
    }
    // Only complete files are left, and the next run imports what is valid by then.
    assert!(
        std::fs::read_dir(data.join("files"))
            .unwrap()
            .all(|entry| entry.unwrap().path().is_dir())
    );
    write(&files, "261120225751_release-1.1.tgz", b"tgz");
    let (_, report) = reported(&data, &database, &more);
    assert_eq!(
        report["files"],
        json!({"copied": 1, "missing": 2, "wrong": 0})
    );
}

#[test]
fn missing_directory_of_files_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = import(
        &folder.path().join("data"),
        &fixture(),
        &["--files", "/nowhere/files"],
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "quarry: there is no folder /nowhere/files\n"
    );
    let output = import(
        &folder.path().join("data"),
        &fixture(),
        &["--report", "/nowhere/report.json"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.starts_with("quarry: the report /nowhere/report.json cannot be written: ")
            && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("data").exists());
    message(&import(&folder.path().join("data"), &fixture(), &[]));
}
