//! Upgrades from the schemas of earlier versions: the copy before, the records after.
//!
//! No version was released before 0.1.0, whose schema is 15. `fixtures/schemas` has a database with it, and
//! one with the schema before, without the tables of the last migration. For a release with another schema,
//! `cargo test --test system write_schema_fixture -- --ignored` adds one.
#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use super::{Place, attach, failure};
use crate::full_disk::SmallDisk;
use quarry_world::data_folder::KEY;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The secret of the fixtures.
const SECRET: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// The file that is attached in them.
const CONTENT: &[u8] = b"content";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/schemas")
}

/// Writes a fixture into a data folder. Returns its schema version.
fn load(fixture: &Path, data: &Path) -> i64 {
    std::fs::create_dir_all(data).unwrap();
    std::fs::write(data.join("secret"), SECRET).unwrap();
    let sha256 = hex::encode(Sha256::digest(CONTENT));
    let folder = data.join("files").join(&sha256[..2]);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(sha256), CONTENT).unwrap();
    let connection = Connection::open(data.join("quarry.sqlite3")).unwrap();
    connection
        .execute_batch(&std::fs::read_to_string(fixture).unwrap())
        .unwrap();
    connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap()
}

fn current_version() -> i64 {
    let place = tempfile::tempdir().unwrap();
    quarry::store::Store::open(place.path()).unwrap().close();
    let connection = Connection::open(place.path().join("quarry.sqlite3")).unwrap();
    connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap()
}

/// The fixture with an earlier schema, for tests of upgrades themselves.
fn older() -> PathBuf {
    fixtures().join("14.sql")
}

#[test]
fn each_released_schema_is_upgraded_with_its_records() {
    let mut versions = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    paths.sort();
    for path in paths {
        let place = Place {
            root: tempfile::tempdir().unwrap(),
        };
        let data = place.path("data");
        let version = load(&path, &data);
        versions.push(version);
        let configuration = "body_limit = \"7MiB\" # kept\n";
        std::fs::write(data.join("quarry.toml"), configuration).unwrap();
        let service = place.serve("data");
        let key = format!("X-Service-API-Key: {KEY}");
        let (status, issues) = service.get("/issues.json", &[&key]);
        assert!(status == 200 && issues.contains("with a file"), "{issues}");
        let (status, found) = service.get("/search.json?q=file", &[&key]);
        assert!(status == 200 && found.contains("with a file"), "{found}");
        service.terminate();
        let (status, log) = service.ended();
        assert!(status.success(), "{log}");
        quarry_world::process::message(&place.run("data", &["index", "verify"]));
        let copy = data.join(format!("before-upgrade/schema-{version}.sqlite3"));
        assert_eq!(copy.exists(), version < current_version());
        let kept = std::fs::read_to_string(data.join("quarry.toml")).unwrap();
        assert_eq!(kept, configuration);
    }
    assert!(versions.starts_with(&[14, 15]), "{versions:?}");
}

#[test]
fn copy_before_an_upgrade_is_that_of_the_former_program() {
    let place = Place {
        root: tempfile::tempdir().unwrap(),
    };
    let data = place.path("data");
    load(&older(), &data);
    let schema = |path: &Path| -> Vec<String> {
        let connection = Connection::open(path).unwrap();
        let mut statement = connection
            .prepare("SELECT COALESCE(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = schema(&data.join("quarry.sqlite3"));
    // A backup by the newer program changes nothing.
    let backups = place.text("backups");
    quarry_world::process::message(&place.run("data", &["backup", &backups, "--secret"]));
    assert_eq!(schema(&data.join("quarry.sqlite3")), before);
    assert_eq!(place.list()[0]["schema"], 14);
    place.serve("data").terminate();
    let copy = data.join("before-upgrade/schema-14.sqlite3");
    assert_eq!(schema(&copy), before);
    assert_ne!(schema(&data.join("quarry.sqlite3")), before);
    // The way back, and a backup of the earlier schema.
    let restored = place.restore("new", &[]);
    assert!(restored.contains("with schema 14"), "{restored}");
    let service = place.serve("new");
    let key = format!("X-Service-API-Key: {KEY}");
    assert!(
        service
            .get("/issues.json", &[&key])
            .1
            .contains("with a file")
    );
    assert!(!place.path("new/before-upgrade").exists());
}

#[test]
fn upgrade_is_refused_without_room_for_the_copy_unless_it_is_switched_off() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    // SQLite would resolve the path of the disk, which leads elsewhere for this process.
    let outside = tempfile::tempdir().unwrap();
    load(&older(), outside.path());
    std::fs::create_dir(disk.path("data")).unwrap();
    for name in ["quarry.sqlite3", "secret"] {
        std::fs::copy(outside.path().join(name), disk.path("data").join(name)).unwrap();
    }
    std::fs::write(disk.path("other"), vec![0; 40 << 20]).unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--log", "off"];
    let (code, text) = failure(&disk.run(&arguments, "data"));
    assert_eq!(code, Some(1));
    assert!(
        text.contains("has no room for a copy of the database before"),
        "{text}"
    );
    assert!(text.contains("backup_before_upgrade"), "{text}");
    let version = || -> i64 {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(disk.path("data")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        let connection = Connection::open(copy.path().join("quarry.sqlite3")).unwrap();
        connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(version(), 14);
    let listed = disk.run(&["user", "list"], "data");
    assert!(!listed.status.success());
    let mut command = disk.command(&["user", "list"], "data");
    command.env("QUARRY_BACKUP_BEFORE_UPGRADE", "off");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", failure(&output).1);
    assert_eq!(version(), current_version());
}

#[test]
fn newer_schema_is_refused_with_the_version_that_wrote_it() {
    let place = Place::new();
    let connection = Connection::open(place.path("data/quarry.sqlite3")).unwrap();
    let written: String = connection
        .query_row(
            "SELECT value FROM store_properties WHERE name = 'program'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(written, env!("CARGO_PKG_VERSION"));
    connection
        .execute_batch(
            "UPDATE store_properties SET value = '9.8.7' WHERE name = 'program'; PRAGMA user_version = 99",
        )
        .unwrap();
    drop(connection);
    let backups = place.text("backups");
    for arguments in [
        &["user", "list"][..],
        &["backup", &backups],
        &["serve", "--listen", "127.0.0.1:0"],
    ] {
        let (code, text) = failure(&place.run("data", arguments));
        assert!(
            code == Some(1) && text.contains(": Quarry 9.8.7 wrote it;"),
            "{text}"
        );
    }
    // A development version with the number of this program: only the schemas tell them apart.
    let connection = Connection::open(place.path("data/quarry.sqlite3")).unwrap();
    connection
        .execute(
            "UPDATE store_properties SET value = ?1 WHERE name = 'program'",
            [env!("CARGO_PKG_VERSION")],
        )
        .unwrap();
    drop(connection);
    let (_, text) = failure(&place.run("data", &["user", "list"]));
    let current = current_version();
    assert!(text.contains("schema version 99") && text.contains(&format!("up to {current}:")));
    assert!(!text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[test]
fn newer_backup_is_refused_with_both_schema_versions() {
    let place = Place::new();
    place.back_up(&[]);
    let backup = place
        .path("backups")
        .join(place.list()[0]["name"].as_str().unwrap());
    let manifest = backup.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let current = current_version();
    let newer = text.replace(&format!("\"schema\": {current}"), "\"schema\": 99");
    assert_ne!(newer, text);
    let digest = |text: &str| hex::encode(sha2::Sha256::digest(text));
    let sums = backup.join("manifest.json.sha256");
    let list = std::fs::read_to_string(&sums).unwrap();
    std::fs::write(&sums, list.replace(&digest(&text), &digest(&newer))).unwrap();
    std::fs::write(&manifest, newer).unwrap();
    let (code, text) = failure(&place.run("new", &["restore", &place.text("backups")]));
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("schema version 99") && text.contains(&format!("up to {current}:")),
        "{text}"
    );
    assert!(!text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[test]
#[ignore = "writes the fixture of the current schema"]
fn write_schema_fixture() {
    let place = Place {
        root: tempfile::tempdir().unwrap(),
    };
    std::fs::create_dir(place.path("data")).unwrap();
    std::fs::write(place.path("data/secret"), SECRET).unwrap();
    place.serve("data").terminate();
    quarry_world::data_folder::prepare(&place.path("data"));
    let service = place.serve("data");
    attach(&service, CONTENT);
    service.terminate();
    assert!(service.ended().0.success());
    let connection = Connection::open(place.path("data/quarry.sqlite3")).unwrap();
    let version: i64 = connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    let path = fixtures().join(format!("{version}.sql"));
    std::fs::write(path, dump(&connection, version)).unwrap();
}

/// Returns the statements that create a database.
fn dump(connection: &Connection, version: i64) -> String {
    let mut text = format!(
        "PRAGMA journal_mode = WAL;\nPRAGMA foreign_keys = OFF;\nPRAGMA user_version = {version};\nBEGIN;\n"
    );
    let mut statement = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' AND sql IS NOT NULL ORDER BY type = 'index', rowid")
        .unwrap();
    let objects: Vec<(String, String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (kind, name, sql) in &objects {
        writeln!(text, "{sql};").unwrap();
        if kind == "table" {
            dump_rows(connection, name, &mut text);
        }
    }
    text.push_str("DELETE FROM sqlite_sequence;\n");
    dump_rows(connection, "sqlite_sequence", &mut text);
    text.push_str("COMMIT;\n");
    text
}

fn dump_rows(connection: &Connection, table: &str, text: &mut String) {
    let mut statement = connection
        .prepare(&format!("SELECT * FROM {table}"))
        .unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let values: Vec<String> = (0..columns)
            .map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Null => "NULL".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => format!("{number:?}"),
                ValueRef::Text(text) => {
                    format!("'{}'", String::from_utf8_lossy(text).replace('\'', "''"))
                }
                ValueRef::Blob(bytes) => format!("x'{}'", hex::encode(bytes)),
            })
            .collect();
        writeln!(text, "INSERT INTO {table} VALUES ({});", values.join(", ")).unwrap();
    }
}
