mod list;
mod update;

use crate::world::{DEVELOPER, MANAGER, REPORTER, World};

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Changes an issue as somebody.
fn put(world: &World, login: &str, issue: i64, fields: &str) {
    let _ = world.as_user(login).put(&format!("/issues/{issue}.json"), &format!("{{\"issue\":{{{fields}}}}}")).expect(200);
}

/// The history of an issue as somebody sees it.
fn journals(world: &World, login: &str, issue: i64) -> Vec<serde_json::Value> {
    let answer = world.as_user(login).get(&format!("/issues/{issue}.json?include=journals")).expect(200).json();
    answer["issue"]["journals"].as_array().unwrap().clone()
}
