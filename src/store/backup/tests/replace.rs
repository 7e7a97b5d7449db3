//! Restores into folders that have data or a secret.

use super::*;

#[test]
fn data_are_replaced_only_on_request_and_kept() {
    let place = Place::new();
    place.create("2026-11-27T03:00:00Z");
    place.restore(|_| {}).unwrap();
    let store = Store::open(&place.path("restored")).unwrap();
    store
        .write(|db| {
            db.execute(
                "INSERT INTO users (id, type, login, created_on, updated_on) VALUES (7, 'User', 'g', 0, 0)",
                &[],
            )
            .map(drop)
        })
        .unwrap();
    assert!(matches!(
        place.restore(|_| {}),
        Err(BackupError::NotEmpty(_))
    ));
    store.close();
    let published = place.restore(|request| request.replaces = true).unwrap();
    assert_eq!(place.count("restored", COUNT_USERS), 1);
    let former = published.replaced.unwrap();
    assert!(former.starts_with(place.path("restored")));
    assert_eq!(
        place.count(
            former
                .strip_prefix(place.folder.path())
                .unwrap()
                .to_str()
                .unwrap(),
            COUNT_USERS
        ),
        2
    );
    std::fs::write(place.path("restored/thesis.tex"), "x").unwrap();
    let refused = place.restore(|request| request.replaces = true);
    assert!(matches!(refused, Err(BackupError::ForeignTarget { .. })));
}

#[test]
fn other_secret_is_replaced_only_on_request_and_kept_aside() {
    let place = Place::new();
    place.create("2026-11-27T03:00:00Z");
    std::fs::create_dir(place.path("restored")).unwrap();
    let other = "ab".repeat(32);
    std::fs::write(place.path("restored/secret"), &other).unwrap();
    let refused = place.restore(|_| {});
    assert!(matches!(refused, Err(BackupError::OtherSecret(_))));
    let report = place.restore(|request| request.replaces = true).unwrap();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert_eq!(
        read(&place.path("restored/secret")),
        read(&place.path("data/secret"))
    );
    assert_eq!(read(&report.replaced.unwrap().join("secret")), other);
    assert_eq!(place.count("restored", COUNT_USERS), 1);
    // The same secret needs no subfolder.
    std::fs::remove_dir_all(place.path("restored")).unwrap();
    std::fs::create_dir(place.path("restored")).unwrap();
    std::fs::copy(place.path("data/secret"), place.path("restored/secret")).unwrap();
    let report = place.restore(|request| request.replaces = true).unwrap();
    assert_eq!(report.replaced, None);
}

#[test]
fn replaced_database_has_all_records_without_its_log() {
    let place = Place::new();
    place.create("2026-11-27T03:00:00Z");
    place.restore(|_| {}).unwrap();
    let database = crate::engine::DatabaseLocation::File(place.path("restored/quarry.sqlite3"));
    let connection = crate::engine::Connection::open_writer(&database).unwrap();
    let sql =
        "INSERT INTO users (id, type, login, created_on, updated_on) VALUES (7, 'User', 'g', 0, 0)";
    connection.execute(sql, &[]).unwrap();
    // What a killed process leaves behind.
    let killed = place.path("killed");
    std::fs::create_dir(&killed).unwrap();
    let log = |folder: &Path| folder.join("quarry.sqlite3-wal");
    std::fs::copy(log(&place.path("restored")), log(&killed)).unwrap();
    std::fs::copy(
        place.path("restored/quarry.sqlite3"),
        killed.join("quarry.sqlite3"),
    )
    .unwrap();
    drop(connection);
    for name in ["quarry.sqlite3", "quarry.sqlite3-wal"] {
        std::fs::copy(killed.join(name), place.path("restored").join(name)).unwrap();
    }
    let report = place.restore(|request| request.replaces = true).unwrap();
    let former = report.replaced.unwrap();
    assert!(!log(&former).exists() && !log(&place.path("restored")).exists());
    let copy = crate::engine::Connection::open_immutable(&former.join("quarry.sqlite3")).unwrap();
    let table = copy.tables().unwrap();
    let users = table.iter().find(|table| table.name == "users").unwrap();
    assert_eq!(copy.count_rows(users).unwrap(), 2);
}

#[test]
fn database_in_use_by_another_command_is_not_replaced() {
    let place = Place::new();
    place.create("2026-11-27T03:00:00Z");
    place.restore(|_| {}).unwrap();
    let location = crate::engine::DatabaseLocation::File(place.path("restored/quarry.sqlite3"));
    let writer = crate::engine::Connection::open_writer(&location).unwrap();
    let reader = crate::engine::Connection::open_reader(&location).unwrap();
    reader.begin_read().unwrap();
    reader
        .check_statement("SELECT COUNT(*) FROM users")
        .unwrap();
    assert!(reader.schema_version().unwrap().is_some());
    let sql =
        "INSERT INTO users (id, type, login, created_on, updated_on) VALUES (7, 'User', 'g', 0, 0)";
    writer.execute(sql, &[]).unwrap();
    let refused = place.restore(|request| request.replaces = true);
    assert!(
        matches!(refused, Err(BackupError::TargetInUse(_))),
        "{refused:?}"
    );
    assert!(place.path("restored/quarry.sqlite3").exists());
    reader.end_read().unwrap();
    drop(reader);
    // Also while it is only open.
    let refused = place.restore(|request| request.replaces = true);
    assert!(
        matches!(refused, Err(BackupError::TargetInUse(_))),
        "{refused:?}"
    );
    drop(writer);
    place.restore(|request| request.replaces = true).unwrap();
}
