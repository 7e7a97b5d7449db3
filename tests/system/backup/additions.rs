//! Backups of databases to which somebody has added tables, columns, indexes, triggers or views.

#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use super::{Place, failure};
use rusqlite::Connection;

/// Runs statements of another program on the records.
fn execute(place: &Place, sql: &str) {
    let connection = Connection::open(place.path("data/quarry.sqlite3")).unwrap();
    let sql = format!("PRAGMA foreign_keys = OFF; {sql}");
    connection.execute_batch(&sql).unwrap();
}

#[test]
fn tables_columns_and_indexes_of_others_are_left_out_of_a_restore() {
    let place = Place::new();
    execute(
        &place,
        "CREATE TABLE \"a report\" (issue INTEGER REFERENCES issues (id)); INSERT INTO \"a report\" VALUES (77);
         ALTER TABLE issues ADD COLUMN cost INTEGER; CREATE INDEX issues_cost ON issues (cost);",
    );
    place.back_up(&[]);
    let printed = place.restore("new", &[]);
    let warning = "left out, because Quarry does not know them: table a report, column issues.cost, index issues_cost;";
    assert!(printed.contains(warning), "{printed}");
    let restored = Connection::open(place.path("new/quarry.sqlite3")).unwrap();
    let additions: i64 = restored
        .query_row(
            "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'a report' OR sql LIKE '%cost%'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(additions, 0);
    let service = place.serve("new");
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn triggers_and_views_of_others_are_refused_with_their_names() {
    for (sql, name) in [
        (
            "CREATE TRIGGER spy AFTER INSERT ON users BEGIN DELETE FROM issues; END",
            "(trigger spy)",
        ),
        (
            "CREATE TRIGGER sqlitex_spy AFTER INSERT ON users BEGIN DELETE FROM issues; END",
            "(trigger sqlitex_spy)",
        ),
        (
            "CREATE VIEW open_issues AS SELECT * FROM issues",
            "(view open_issues)",
        ),
    ] {
        let place = Place::new();
        execute(&place, sql);
        place.back_up(&[]);
        let backups = place.text("backups");
        let (code, text) = failure(&place.run("new", &["restore", &backups]));
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains(name) && text.contains("drop them in the store"),
            "{text}"
        );
        assert!(!place.path("new").exists());
    }
}
