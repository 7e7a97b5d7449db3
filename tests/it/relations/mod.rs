mod create;
mod delete;
mod schedule;
mod show;

use crate::world::{Answer, DEVELOPER, MANAGER, REPORTER, World};

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Asks for a relation from the issue with these fields.
fn relate(world: &World, login: &str, issue: i64, fields: &str) -> Answer {
    world.as_user(login).post(&format!("/issues/{issue}/relations.json"), &format!("{{\"relation\":{{{fields}}}}}"))
}

/// The details of the history of an issue, as `property name old new`.
fn history(world: &World, login: &str, issue: i64) -> Vec<String> {
    let answer = world.as_user(login).get(&format!("/issues/{issue}.json?include=journals")).expect(200).json();
    let details = answer["issue"]["journals"].as_array().unwrap().iter().flat_map(|journal| journal["details"].as_array().unwrap().clone());
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    details.map(|d| ["property", "name", "old_value", "new_value"].map(|key| text(&d[key])).join(" ")).collect()
}
