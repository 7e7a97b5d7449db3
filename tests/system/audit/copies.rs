//! Backups, restores and copies of the store in the audit log.

use crate::backup::Place;
use quarry_world::process::{message, quarry};
use serde_json::Value;
use std::fs::File;

/// Returns record, change, origin and details of the latest events of a data folder, without those
/// about exports.
fn latest_events(place: &Place, data: &str, count: usize) -> Vec<[String; 4]> {
    let exported = message(&place.run(data, &["audit", "export", "--format", "json"]));
    let exported: Value = serde_json::from_str(&exported).unwrap();
    let events = exported["audit_events"].as_array().unwrap();
    let text = |event: &Value, field: &str| event[field].as_str().unwrap_or_default().to_owned();
    events
        .iter()
        .filter(|event| event["record"] != "export")
        .take(count)
        .map(|event| ["record", "change", "by", "details"].map(|field| text(event, field)))
        .collect()
}

#[test]
fn backup_restore_and_copy_are_recorded() {
    let place = Place::new();
    let printed = place.back_up(&[]);
    let (_, name) = printed.split_once("backup ").unwrap();
    let (name, _) = name.split_once(':').unwrap();
    let completed = ["backup", "completed", "command line", name];
    assert_eq!(latest_events(&place, "data", 1), [completed]);

    let listed = message(&place.run("data", &["audit", "list", "--kind", "backup"]));
    assert!(listed.contains("backup: completed"), "{listed}");

    message(&place.run("restored", &["restore", &place.text("backups")]));
    let restored = ["backup", "restored", "command line", name];
    let events = latest_events(&place, "restored", 2);
    assert_eq!(events[0], restored);
    // A backup does not contain its own event, which is recorded afterwards.
    assert_ne!(events[1], completed);

    let copy = [
        "store",
        "copy",
        "--from",
        &place.text("data"),
        "--to",
        &place.text("copy"),
    ];
    message(&place.run("data", &copy));
    let source = place.text("data");
    let copied = ["store", "created as a copy", "command line", &source];
    assert_eq!(latest_events(&place, "copy", 2), [copied, completed]);
}

#[test]
fn backup_whose_report_cannot_be_printed_is_recorded() {
    let place = Place::new();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let arguments = [
        "backup",
        &place.text("backups"),
        "--data",
        &place.text("data"),
    ];
    let output = quarry(&arguments).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let events = latest_events(&place, "data", 1);
    assert_eq!(events[0][..3], ["backup", "completed", "command line"]);
}
