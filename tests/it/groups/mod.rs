//! `/groups`, `/groups/:id`, `/groups/:id/users` (compatibility 11.2)

mod manage;
mod users;

use crate::world::{Response, World};
use serde_json::{Value, json};

/// Creates a group as the administrator; the first one has the id 7.
fn add(world: &World, fields: Value) -> Response {
    world.as_user("admin").post("/groups.json", json!({ "group": fields }))
}

/// Returns the ids of the users of a group.
fn users_of(world: &World, group: i64) -> Vec<i64> {
    let shown = world.as_user("admin").get(&format!("/groups/{group}.json?include=users")).assert_status(200);
    shown.array("/group/users").iter().map(|user| user["id"].as_i64().unwrap()).collect()
}
