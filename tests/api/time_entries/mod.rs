//! `/time_entries`, `/projects/:id/time_entries`, `/issues/:id/time_entries` (compatibility 9)

mod activities;
mod concurrency;
mod create;
mod days;
mod delete;
mod filters;
mod hidden;
mod list;
mod rules;
mod show;
mod update;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Logs time, on Design unless the fields have an activity.
fn log(world: &World, login: &str, mut fields: Value) -> Response {
    fields
        .as_object_mut()
        .unwrap()
        .entry("activity_id")
        .or_insert(json!(8));
    world
        .as_user(login)
        .post("/time_entries.json", json!({"time_entry": fields}))
}

/// Like [`log`], and returns the created time entry.
#[track_caller]
fn logged(world: &World, login: &str, fields: Value) -> Value {
    log(world, login, fields)
        .assert_status(201)
        .json_path("/time_entry")
}

/// Returns the time entry as alice sees it.
#[track_caller]
fn show(world: &World, id: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!("/time_entries/{id}.json"))
        .assert_status(200)
        .json_path("/time_entry")
}

/// Updates a time entry.
fn update(world: &World, login: &str, id: i64, fields: Value) -> Response {
    world.as_user(login).put(
        &format!("/time_entries/{id}.json"),
        json!({"time_entry": fields}),
    )
}

/// Returns the ids of a page; asserts that the total fits.
#[track_caller]
fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let response = world
        .as_user(login)
        .get(&format!("/time_entries.json?{query}"))
        .assert_status(200)
        .json();
    let found: Vec<i64> = response["time_entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["id"].as_i64().unwrap())
        .collect();
    if found.len() < 25 && !query.contains("offset") && !query.contains("limit") {
        assert_eq!(response["total_count"], found.len(), "{query}");
    }
    found
}

/// Inserts a custom field of time entries.
fn field(world: &World, id: i64, name: &str, format: &str, more: &str) {
    world.sql(&format!(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter) \
         VALUES ({id}, 'TimeEntryCustomField', '{name}', '{format}', {id}, 1); UPDATE custom_fields SET {more} WHERE id = {id}"
    ));
}
