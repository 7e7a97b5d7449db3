//! `/time_entries`, `/projects/:id/time_entries`, `/issues/:id/time_entries` (spec, "Time entries"; contract 7)

mod activities;
mod create;
mod delete;
mod filters;
mod hidden;
mod list;
mod rules;
mod show;
mod together;
mod update;

use crate::world::{Answer, DEVELOPER, MANAGER, REPORTER, World};
use serde_json::Value;

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Logs time on design, unless the fields say more.
fn log(world: &World, login: &str, fields: &str) -> Answer {
    let activity = if fields.contains("activity_id") { "" } else { ",\"activity_id\":8" };
    world.as_user(login).post("/time_entries.json", &format!("{{\"time_entry\":{{{fields}{activity}}}}}"))
}

/// The same, and the time entry as it was answered.
#[track_caller]
fn logged(world: &World, login: &str, fields: &str) -> Value {
    log(world, login, fields).expect(201).json()["time_entry"].clone()
}

/// The time entry as alice sees it.
#[track_caller]
fn show(world: &World, id: i64) -> Value {
    world.as_user("alice").get(&format!("/time_entries/{id}.json")).expect(200).json()["time_entry"].clone()
}

/// Changes a time entry.
fn put(world: &World, login: &str, id: i64, fields: &str) -> Answer {
    world.as_user(login).put(&format!("/time_entries/{id}.json"), &format!("{{\"time_entry\":{{{fields}}}}}"))
}

/// The numbers on the page; the total must agree with them as far as it can.
#[track_caller]
fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let answer = world.as_user(login).get(&format!("/time_entries.json?{query}")).expect(200).json();
    let found: Vec<i64> = answer["time_entries"].as_array().unwrap().iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    if found.len() < 25 && !query.contains("offset") && !query.contains("limit") {
        assert_eq!(answer["total_count"], found.len(), "{query}");
    }
    found
}

/// A custom field of time entries.
fn field(world: &World, id: i64, name: &str, format: &str, more: &str) {
    world.sql(&format!(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter) \
         VALUES ({id}, 'TimeEntryCustomField', '{name}', '{format}', {id}, 1); UPDATE custom_fields SET {more} WHERE id = {id}"
    ));
}
