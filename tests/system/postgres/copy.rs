//! `quarry store copy` between SQLite and PostgreSQL.
#![allow(
    clippy::disallowed_methods,
    reason = "a test looks into files as anybody may"
)]

use super::site::{Site, download, key_header, noise, request, upload};
use crate::import::loader;
use quarry_world::complete_world::PICTURE;
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::fixture;
use quarry_world::wait::{TIMEOUT, until};
use rusqlite::types::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};

/// Tables that differ in a copy: each store has its own epochs and properties, and SQLite has no
/// table of contents.
const OWN_TABLES: [&str; 3] = ["epochs", "store_properties", "blobs"];

fn copy(from: &str, to: &str, further: &[&str]) -> Output {
    quarry(&["store", "copy", "--from", from, "--to", to])
        .args(further)
        .output()
        .unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the rows of each table, sorted, without the audit event of a copy.
fn rows(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let connection = rusqlite::Connection::open(folder.join("quarry.sqlite3")).unwrap();
    let mut tables = connection
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'",
        )
        .unwrap();
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .filter(|name: &String| !OWN_TABLES.contains(&name.as_str()))
        .collect();
    let rows_of = |table: &str| {
        let mut statement = connection
            .prepare(&format!("SELECT * FROM {table}"))
            .unwrap();
        let columns = statement.column_count();
        let mut rows: Vec<String> = statement
            .query_map([], |row| {
                let values: Vec<Value> = (0..columns)
                    .map(|column| row.get(column).unwrap())
                    .collect();
                Ok(format!("{values:?}"))
            })
            .unwrap()
            .map(Result::unwrap)
            .filter(|row: &String| match table {
                "audit_events" => !row.contains("Text(\"created as a copy\")"),
                "sqlite_sequence" => !row.contains("audit_events"),
                _ => true,
            })
            .collect();
        rows.sort_unstable();
        rows
    };
    tables
        .into_iter()
        .map(|table| {
            let rows = rows_of(&table);
            (table, rows)
        })
        .collect()
}

fn create_issue(service: &Service, key: &str) -> i64 {
    let issue = br#"{"issue":{"project_id":1,"subject":"after the copy"}}"#;
    let headers = [&*key_header(key), "Content-Type: application/json"];
    let created = request(&service.address, "POST /issues.json", &headers, issue).unwrap();
    assert_eq!(
        created.status,
        201,
        "{}",
        String::from_utf8_lossy(&created.body)
    );
    created.json()["issue"]["id"].as_i64().unwrap()
}

/// Uploads a picture of the administrator, and returns it as it is stored.
fn upload_picture(service: &Service, key: &str) -> Vec<u8> {
    let disposition = "form-data; name=\"picture\"; filename=\"a.gif\"";
    let mut form = format!("--b\r\nContent-Disposition: {disposition}\r\n\r\n").into_bytes();
    form.extend(PICTURE);
    form.extend(b"\r\n--b--\r\n");
    let headers = [
        &*key_header(key),
        "Content-Type: multipart/form-data; boundary=b",
    ];
    let uploaded = request(&service.address, "POST /my/picture", &headers, &form).unwrap();
    assert_eq!(uploaded.status, 303, "{}", uploaded.head);
    picture(service, key)
}

fn picture(service: &Service, key: &str) -> Vec<u8> {
    let line = "GET /users/1/picture";
    let picture = request(&service.address, line, &[&key_header(key)], b"").unwrap();
    assert_eq!(picture.status, 200, "{}", picture.head);
    picture.body
}

/// A store in a data folder with rows in most tables, two files, a picture, and an issue that was
/// deleted.
struct Source {
    folder: tempfile::TempDir,
    key: String,
    deleted_issue: i64,
    files: Vec<(i64, Vec<u8>)>,
    picture: Vec<u8>,
}

fn source() -> Source {
    let folder = tempfile::tempdir().unwrap();
    let database = fixture();
    let import = ["import", "redmine", "--database", &database];
    // The fixture has rows that cannot be imported, which its own tests are about.
    run(folder.path(), &import);
    message(&run(
        folder.path(),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    let key = message(&run(folder.path(), &["user", "key", "admin", "--reset"]));
    let service = Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(folder.path()));
    let files = [noise(1, 0), noise(2, 600_000)];
    let files = files.into_iter().map(|bytes| {
        let id = upload(&service.address, &key, &bytes).unwrap();
        (id, bytes)
    });
    let files = files.collect();
    let picture = upload_picture(&service, &key);
    let deleted_issue = create_issue(&service, &key);
    let line = format!("DELETE /issues/{deleted_issue}.json");
    let deleted = request(&service.address, &line, &[&key_header(&key)], b"").unwrap();
    assert!(matches!(deleted.status, 200 | 204), "{}", deleted.head);
    service.terminate();
    assert!(service.ended().0.success());
    Source {
        folder,
        key,
        deleted_issue,
        files,
        picture,
    }
}

/// Asserts that a service has the key, the files, the picture and the ids of the source.
fn assert_continues(service: &Service, source: &Source) {
    for (id, bytes) in &source.files {
        let file = download(&service.address, &source.key, *id, &[]).unwrap();
        assert!(file.status == 200 && file.body == *bytes, "{}", file.head);
    }
    assert!(picture(service, &source.key) == source.picture);
    assert!(create_issue(service, &source.key) > source.deleted_issue);
}

#[test]
fn store_is_copied_to_postgresql_and_back_with_files_ids_and_secret() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let from = text(source.folder.path());
    let there = site.root.path().join("a");
    let back = site.root.path().join("back");
    let printed = message(&copy(from, &site.url(), &["--to-data", text(&there)]));
    assert!(
        printed.contains("files: 2 copied, 600000 bytes"),
        "{printed}"
    );
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines
            .iter()
            .any(|line| line.split_whitespace().eq(["issues", "48"])),
        "{printed}"
    );
    message(&copy(
        &site.url(),
        text(&back),
        &["--from-data", text(&there)],
    ));
    assert!(
        rows(source.folder.path()) == rows(&back),
        "the copy of the copy differs"
    );
    let epochs = "SELECT COUNT(*) FROM epochs e WHERE e.first_change > (SELECT value FROM counters WHERE name = 'change')";
    assert_eq!(site.query(epochs), 1, "the copy has an epoch of its own");
    let service = site.start("a", &[]);
    assert_continues(&service, &source);
    let service = Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(&back));
    assert_continues(&service, &source);
}

#[test]
fn characters_that_postgresql_cannot_store_are_replaced_and_reported() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let connection = loader::ours(source.folder.path());
    let sql =
        "UPDATE issues SET subject = 'a' || char(0) || 'b' WHERE id = (SELECT MIN(id) FROM issues)";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    drop(connection);
    let there = site.root.path().join("a");
    let from = text(source.folder.path());
    let printed = message(&copy(from, &site.url(), &["--to-data", text(&there)]));
    assert!(
        printed.contains("which PostgreSQL cannot store: 1;"),
        "{printed}"
    );
    assert_eq!(
        site.query("SELECT COUNT(*) FROM issues WHERE subject = 'a\u{fffd}b'"),
        1
    );
    // A copy to SQLite keeps them.
    let other = site.root.path().join("other");
    message(&copy(from, text(&other), &[]));
    assert!(rows(source.folder.path()) == rows(&other));
}

#[test]
fn missing_and_damaged_files_are_reported() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let files: Vec<_> = std::fs::read_dir(source.folder.path().join("files"))
        .unwrap()
        .flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    assert_eq!(files.len(), 2);
    std::fs::remove_file(&files[0]).unwrap();
    std::fs::write(&files[1], "other bytes").unwrap();
    let there = site.root.path().join("a");
    let output = copy(
        text(source.folder.path()),
        &site.url(),
        &["--to-data", text(&there)],
    );
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    for (file, problem) in [
        (&files[0], "missing in the source"),
        (&files[1], "damaged in the source"),
    ] {
        let sha256 = file.file_name().unwrap().to_str().unwrap();
        assert!(
            printed.contains(&format!("{sha256} is {problem}")),
            "{printed}"
        );
    }
    assert_eq!(site.query("SELECT COUNT(*) FROM blobs"), 0);
}

#[test]
fn copy_with_a_shared_folder_has_its_files_there() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let there = site.root.path().join("a");
    let shared = site.root.path().join("shared");
    let to = ["--to-data", text(&there), "--to-files", text(&shared)];
    message(&copy(text(source.folder.path()), &site.url(), &to));
    assert_eq!(site.query("SELECT COUNT(*) FROM blobs"), 0);
    let back = site.root.path().join("back");
    let from = ["--from-data", text(&there)];
    assert!(
        error(&copy(&site.url(), text(&back), &from))
            .contains("are in a folder that its nodes share")
    );
    let from = ["--from-data", text(&there), "--from-files", text(&shared)];
    message(&copy(&site.url(), text(&back), &from));
    assert!(rows(source.folder.path()) == rows(&back));
    assert_continues(&site.start("a", &["--files", text(&shared)]), &source);
}

#[test]
fn copy_to_a_place_that_is_not_empty_is_refused() {
    let Some((site, _)) = Site::initialized(&[]) else {
        return;
    };
    let source = source();
    let from = text(source.folder.path());
    let there = text(&site.root.path().join("a")).to_owned();
    let before = site.query("SELECT COUNT(*) FROM users");
    let refused = error(&copy(from, &site.url(), &["--to-data", &there]));
    assert!(refused.contains("is not empty"), "{refused}");
    assert_eq!(site.query("SELECT COUNT(*) FROM users"), before);
    let refused = error(&copy(&site.url(), from, &["--from-data", &there]));
    assert!(refused.contains("is not empty"), "{refused}");
    let empty = Site::empty().unwrap();
    let refused = error(&copy(from, &empty.url(), &["--to-data", &there]));
    assert!(
        refused.contains("is the secret of another store"),
        "{refused}"
    );
    let missing = text(&empty.root.path().join("missing")).to_owned();
    let refused = error(&copy(&missing, &empty.url(), &["--to-data", &there]));
    assert!(refused.contains("has no records of Quarry"), "{refused}");
    assert!(!Path::new(&missing).exists());
    assert!(error(&copy(from, from, &[])).contains("the same store"));
    let refused = error(&copy("mysql://a/b", from, &[]));
    assert!(
        refused.contains("must be a data folder or postgres://"),
        "{refused}"
    );
}

#[test]
fn interrupted_copy_is_refused_and_can_be_started_over() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let from = text(source.folder.path());
    let there = site.root.path().join("a");
    // Stops the copy when it has marked the target.
    site.sql()
        .batch_execute(
            "CREATE FUNCTION wait_in_copy() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF to_regclass('store_properties') IS NOT NULL THEN \
             IF EXISTS (SELECT 1 FROM store_properties WHERE name = 'copy') THEN PERFORM pg_sleep(3600); END IF; \
             END IF; END $$; \
             CREATE EVENT TRIGGER wait_in_copy ON ddl_command_start WHEN TAG IN ('ALTER TABLE') \
             EXECUTE FUNCTION wait_in_copy()",
        )
        .unwrap();
    let mut copying = quarry(&["store", "copy", "--from", from, "--to", &site.url()])
        .args(["--to-data", text(&there)])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let sleeping = format!(
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '{}' AND wait_event = 'PgSleep'",
        site.database
    );
    until(TIMEOUT, "the copy waits", || site.query(&sleeping) == 1);
    copying.kill().unwrap();
    copying.wait().unwrap();
    site.sql()
        .batch_execute(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND wait_event = 'PgSleep'",
            site.database
        ))
        .unwrap();
    until(TIMEOUT, "its transaction has ended", || {
        site.query(&sleeping) == 0
    });
    site.sql()
        .batch_execute("DROP EVENT TRIGGER wait_in_copy")
        .unwrap();
    let serve = &["serve", "--listen", "127.0.0.1:0"][..];
    for (folder, arguments) in [("a", serve), ("b", serve), ("a", &["user", "list"])] {
        let refused = error(&site.run(folder, arguments));
        assert!(
            refused.contains("has an incomplete copy of another store"),
            "{refused}"
        );
    }
    let other_secret = site.root.path().join("b/secret");
    assert!(!other_secret.exists(), "the copy brings its own secret");
    // Whatever a node without it has left.
    let left = "INSERT INTO secret_fingerprints (value) VALUES ('of another secret')";
    site.sql().batch_execute(left).unwrap();
    message(&copy(from, &site.url(), &["--to-data", text(&there)]));
    assert_continues(&site.start("a", &[]), &source);
    // The same with SQLite.
    let folder = site.root.path().join("sqlite");
    message(&copy(from, text(&folder), &[]));
    let mark = "INSERT INTO store_properties (name, value) VALUES ('copy', 'incomplete')";
    loader::ours(&folder).execute(mark, []).unwrap();
    let refused = error(&run(&folder, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(
        refused.contains("has an incomplete copy of another store"),
        "{refused}"
    );
    message(&copy(from, text(&folder), &[]));
    assert!(rows(source.folder.path()) == rows(&folder));
}

#[test]
fn one_of_two_copies_into_the_same_database_succeeds() {
    let Some(site) = Site::empty() else {
        return;
    };
    let source = source();
    let from = text(source.folder.path());
    let copies: Vec<Output> = std::thread::scope(|scope| {
        let copies = ["a", "b"].map(|folder| {
            let there = site.root.path().join(folder);
            let url = site.url();
            scope.spawn(move || copy(from, &url, &["--to-data", text(&there)]))
        });
        copies.map(|copy| copy.join().unwrap()).into()
    });
    let succeeded = copies.iter().filter(|copy| copy.status.success()).count();
    assert_eq!(succeeded, 1, "{copies:?}");
    assert_continues(&site.start("a", &[]), &source);
}

#[test]
fn messages_about_a_wrong_store_show_no_password() {
    let folder = tempfile::tempdir().unwrap();
    for store in [
        "u:secret@h/d",
        "POSTGRES://u:secret@h/d",
        "host=h password=secret",
        "postgres://u:secret/h/d",
    ] {
        let copied = error(&copy(store, text(folder.path()), &[]));
        let served = error(&run(folder.path(), &["serve", "--store", store]));
        for message in [copied, served] {
            assert!(!message.contains("secret"), "{message}");
            assert!(
                message.contains("postgres://USER@HOST/DATABASE"),
                "{message}"
            );
        }
    }
}
