//! A backup under many writes has a state between two commits.
#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use super::{Place, attach, files_below};
use quarry_world::data_folder::{KEY, post};
use quarry_world::process::message;
use quarry_world::wait::SetOnDrop;
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Writes a second.
const RATE: u32 = 200;
/// Number of backups.
const BACKUPS: usize = 5;

/// Writes two tables in each transaction, until `stop`. Returns the number of writes.
fn write(path: &Path, stop: &AtomicBool) -> u32 {
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    connection
        .execute_batch("PRAGMA synchronous = FULL")
        .unwrap();
    let start = Instant::now();
    let mut writes = 0;
    while !stop.load(Ordering::Relaxed) {
        writes += 1;
        connection
            .execute_batch(&format!(
                "BEGIN IMMEDIATE; \
                 INSERT INTO settings (name, value) VALUES ('test {writes}', '{}'); \
                 INSERT INTO store_properties (name, value) VALUES ('test {writes}', '{writes}'); \
                 COMMIT",
                "x".repeat(500)
            ))
            .unwrap();
        let due = start + Duration::from_secs(1) * writes / RATE;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    writes
}

#[test]
fn backup_under_writes_is_a_state_between_two_commits() {
    let place = Place::new();
    let path = place.path("data/quarry.sqlite3");
    // Large enough that the copy takes many steps.
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO settings (name, value) WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 40000) \
             SELECT 'filler ' || x, hex(randomblob(500)) FROM n",
        )
        .unwrap();
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let writes = std::thread::scope(|threads| {
        let writer = threads.spawn(|| write(&path, &stop));
        let until_the_end = SetOnDrop(&stop);
        for _ in 0..BACKUPS {
            place.back_up(&[]);
            let latest = place.list().pop().unwrap();
            let folder = place.path("backups").join(latest["name"].as_str().unwrap());
            seen.push(state(&folder.join("quarry.sqlite3")));
        }
        drop(until_the_end);
        writer.join().unwrap()
    });
    println!("{writes} writes during {BACKUPS} backups, which end with {seen:?}");
    assert!(seen.is_sorted() && seen[0] < seen[BACKUPS - 1] && seen[BACKUPS - 1] <= writes);
    place.verify();
}

/// Returns the number of the last write in a copy; asserts that it has all before, in both tables.
fn state(path: &Path) -> u32 {
    let copy = tempfile::tempdir().unwrap();
    let copy = copy.path().join("copy");
    std::fs::copy(path, &copy).unwrap();
    let connection = Connection::open(copy).unwrap();
    let numbers = |table: &str| -> (u32, u32) {
        let sql = format!(
            "SELECT COUNT(*), COALESCE(MAX(CAST(substr(name, 6) AS INTEGER)), 0) FROM {table} WHERE name LIKE 'test %'"
        );
        connection
            .query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
    };
    let (count, last) = numbers("settings");
    assert_eq!(count, last, "there is a gap");
    assert_eq!(numbers("store_properties"), (count, last));
    last
}

#[test]
fn files_that_come_and_go_during_a_backup_are_complete_in_it() {
    let place = Place::new();
    let service = place.serve("data");
    for n in 0..20u32 {
        attach(&service, format!("first {n}").as_bytes());
    }
    let stop = AtomicBool::new(false);
    let changes = AtomicU32::new(0);
    std::thread::scope(|threads| {
        let _until_the_end = SetOnDrop(&stop);
        threads.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let n = changes.fetch_add(1, Ordering::Relaxed);
                let issue = attach(&service, format!("later {n}").as_bytes());
                // Each deletion during a copy makes the backup copy the records again, a few times.
                std::thread::sleep(Duration::from_millis(30));
                if n.is_multiple_of(2) {
                    let key = format!("X-Service-API-Key: {KEY}");
                    let line = format!("DELETE /issues/{issue}.json");
                    let deleted =
                        crate::postgres::site::request(&service.address, &line, &[&key], b"");
                    assert!((200..300).contains(&deleted.unwrap().status));
                }
            }
        });
        threads.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let body = json!({"issue": {"project_id": "one", "subject": "s"}}).to_string();
                assert_eq!(post(&service.address, &body).unwrap().0, 201);
            }
        });
        for _ in 0..BACKUPS {
            let printed = place.back_up(&[]);
            assert!(!printed.contains("not backed up"), "{printed}");
        }
    });
    place.verify();
    let names: Vec<String> = place
        .list()
        .iter()
        .map(|backup| backup["name"].as_str().unwrap().to_owned())
        .collect();
    for (index, name) in names.iter().enumerate() {
        let data = format!("new{index}");
        let backups = place.text("backups");
        let printed = message(&place.run(&data, &["restore", &backups, name]));
        assert!(!printed.contains("missing"), "{printed}");
        assert!(files_below(&place.path(&data).join("files")).len() >= 20);
    }
    println!("{} files were added meanwhile", changes.into_inner());
}

#[test]
fn two_backups_at_once_exclude_each_other() {
    let place = Place::new();
    let backups = place.text("backups");
    let outputs = std::thread::scope(|threads| {
        let runs: Vec<_> = (0..4)
            .map(|_| threads.spawn(|| place.run("data", &["backup", &backups])))
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap())
            .collect::<Vec<_>>()
    });
    let complete = outputs
        .iter()
        .filter(|output| output.status.success())
        .count();
    assert!(complete >= 1);
    for output in outputs.iter().filter(|output| !output.status.success()) {
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            text.contains("another backup, restore or check is running"),
            "{text}"
        );
    }
    assert_eq!(place.list().len(), complete);
    place.verify();
}
