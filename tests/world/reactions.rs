//! A world with the records that people can react to.

use crate::World;
use serde_json::json;

/// A world with one record of each type in the project.
pub fn world_with_records(project: &str) -> World {
    let world = World::with_records(project);
    let alice = world.as_user("alice");
    alice
        .put("/issues/1.json", json!({"issue": {"notes": "seen"}}))
        .assert_status(200);
    alice
        .post(
            "/news/1/comments.json",
            json!({"comment": {"content": "at last"}}),
        )
        .assert_status(201);
    world
}
