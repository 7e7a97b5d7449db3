mod anonymous;
mod create;
mod delete;
mod list;
mod rules;
mod show;
mod similar;
mod together;
mod trackers;
mod update;

use crate::world::{DEVELOPER, MANAGER, REPORTER, World};

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Writes an issue and answers its number.
fn write(world: &World, login: &str, project: &str, more: &str) -> i64 {
    let body = format!("{{\"issue\":{{\"project_id\":\"{project}\",\"subject\":\"A thing\"{more}}}}}");
    world.as_user(login).post("/issues.json", &body).expect(201).json()["issue"]["id"].as_i64().unwrap()
}
