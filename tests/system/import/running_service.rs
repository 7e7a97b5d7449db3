//! An import into the data directory of a running service, whose responses and index follow.

use super::complete::assert_complete;
use super::loader::{copy, ours};
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::{fixture, import};
use quarry_world::wait::until;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Timeout for the service to notice a closed connection.
const SOON: Duration = Duration::from_secs(120);

fn found(service: &Service, words: &str, headers: &[&str]) -> u64 {
    let (status, body) = service.get(&format!("/search.json?q={words}"), headers);
    let body: Value = serde_json::from_str(&body).unwrap_or_default();
    if status == 200 {
        body["total_count"].as_u64().unwrap_or(0)
    } else {
        0
    }
}

fn epochs(data: &Path) -> String {
    ours(data)
        .query_row("SELECT GROUP_CONCAT(token) FROM epochs", [], |row| {
            row.get::<_, String>(0)
        })
        .unwrap()
}

#[test]
fn running_service_shows_and_finds_imported_records() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = Service::start(quarry(&["serve", "--data"]).arg(&data));
    let (database, redmine) = copy(folder.path());
    let epochs_of_service = epochs(&data);
    message(&import(&data, &database, &[]));
    assert_complete(&data);
    assert_eq!(
        epochs(&data),
        epochs_of_service,
        "only the service starts epochs"
    );
    let key = format!("X-Redmine-API-Key: {}", "1".repeat(40));
    assert_eq!(service.get("/users/current.json", &[&key]).0, 200);
    until(SOON, "it is found", || {
        found(&service, "turbines", &[&key]) > 0
    });
    // A second run, with a change.
    let changes = "UPDATE issues SET subject = 'a xylophone in the engine room' WHERE id = 1;
         UPDATE custom_fields SET searchable = 1, visible = 1 WHERE id = 1;
         UPDATE custom_values SET value = 'glockenspiel' WHERE id = (SELECT MIN(id) FROM custom_values WHERE custom_field_id = 1 AND customized_id = 1);
         UPDATE attachments SET filename = 'bassoon.txt' WHERE id = 1;
         UPDATE journals SET notes = 'a clarinet' WHERE id = (SELECT MIN(id) FROM journals WHERE journalized_id = 1)";
    redmine.execute_batch(changes).unwrap();
    let words = [
        "xylophone",
        "glockenspiel",
        "bassoon&attachments=1",
        "clarinet",
    ];
    words
        .iter()
        .for_each(|word| assert_eq!(found(&service, word, &[&key]), 0, "{word}"));
    message(&import(&data, &database, &[]));
    words.iter().for_each(|word| {
        until(SOON, &format!("{word} is found"), || {
            found(&service, word, &[&key]) == 1
        })
    });
    service.terminate();
    assert!(service.ended().0.success());
    assert!(message(&run(&data, &["index", "verify"])).ends_with("index and records agree"));
    assert!(message(&import(&data, &database, &[])).ends_with("nothing changed"));
}

#[test]
fn service_adds_no_default_data_to_a_partial_import() {
    let folder = tempfile::tempdir().unwrap();
    message(&import(folder.path(), &fixture(), &[]));
    // As if the import had been interrupted before the roles.
    let half = "PRAGMA foreign_keys = OFF; DELETE FROM roles; DELETE FROM role_permissions; DELETE FROM workflow_transitions;
         DELETE FROM imported WHERE source_table IN ('roles', 'roles (permissions)', 'workflows (transitions)');
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'";
    ours(folder.path()).execute_batch(half).unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    assert_eq!(service.printed, [""; 0]);
    service.terminate();
    assert!(service.ended().0.success());
    message(&import(folder.path(), &fixture(), &[]));
    assert_complete(folder.path());
}
