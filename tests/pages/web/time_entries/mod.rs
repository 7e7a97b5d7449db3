//! `/time_entries` and the report, everywhere and below projects.

mod forms;
mod list;
mod report;
mod timer;
mod week;

use quarry_world::{MANAGER, REPORTER, World};
use serde_json::{Value, json};

/// Logs time over the API, on Design unless the fields have an activity. Returns the id.
fn log(world: &World, login: &str, mut fields: Value) -> i64 {
    let map = fields.as_object_mut().unwrap();
    map.entry("activity_id").or_insert(json!(8));
    world
        .as_user(login)
        .post("/time_entries.json", json!({"time_entry": fields}))
        .assert_status(201)
        .integer("/time_entry/id")
}

/// A world in which viewers see different hours. `open` and its private subproject `inner`, of which
/// alice alone is a member, and `secret` have time of several people in several months. Issue 3 is
/// private, and carol sees only her own time.
fn world() -> World {
    let world = World::with_projects();
    world
        .project("inner")
        .private()
        .member("alice", MANAGER)
        .create();
    world.sql("UPDATE projects SET parent_id = 1 WHERE identifier = 'inner'; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id = {REPORTER}; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
    ));
    let alice = world.as_user("alice");
    alice
        .post(
            "/projects/open/versions.json",
            json!({"version": {"name": "1.0"}}),
        )
        .assert_status(201);
    alice
        .post(
            "/projects/open/issue_categories.json",
            json!({"issue_category": {"name": "Engine"}}),
        )
        .assert_status(201);
    world
        .issue("open")
        .subject("Valve")
        .field("category_id", 1)
        .create();
    world
        .issue("secret")
        .subject("Rocket")
        .field("tracker_id", 2)
        .create();
    world
        .issue("open")
        .subject("Hushed")
        .private()
        .field("fixed_version_id", 1)
        .create();
    let entries = [
        (
            "alice",
            json!({"issue_id": 1, "hours": 1.5, "spent_on": "2026-09-30"}),
        ),
        (
            "bob",
            json!({"issue_id": 1, "hours": 2.25, "spent_on": "2026-11-02", "activity_id": 9, "comments": "Oiled it"}),
        ),
        (
            "bob",
            json!({"project_id": 1, "hours": 4, "spent_on": "2026-11-08"}),
        ),
        (
            "carol",
            json!({"issue_id": 1, "hours": 0.75, "spent_on": "2026-11-09"}),
        ),
        (
            "alice",
            json!({"issue_id": 2, "hours": 32, "spent_on": "2026-10-05", "comments": "Rocket fuel"}),
        ),
        (
            "alice",
            json!({"issue_id": 3, "hours": 8, "spent_on": "2026-11-09"}),
        ),
        (
            "alice",
            json!({"project_id": "inner", "hours": 16, "spent_on": "2026-11-20"}),
        ),
    ];
    for (login, fields) in entries {
        log(&world, login, fields);
    }
    world
}

/// Returns the time entries that the API lists.
fn entries(world: &World, login: &str, address: &str) -> Vec<Value> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let address = format!("{path}.json?limit=100&{query}");
    let client = if login == "anonymous" {
        world.anonymous()
    } else {
        world.as_user(login)
    };
    client
        .get(&address)
        .assert_status(200)
        .array("/time_entries")
}

fn sum(entries: &[Value]) -> f64 {
    entries
        .iter()
        .map(|entry| entry["hours"].as_f64().unwrap())
        .sum()
}
