mod list;
mod update;

use quarry_world::World;
use serde_json::{Value, json};

/// Updates an issue as a user.
fn update(world: &World, login: &str, issue: i64, fields: Value) {
    world
        .as_user(login)
        .put(&format!("/issues/{issue}.json"), json!({"issue": fields}))
        .assert_status(200);
}

/// Returns the journals of an issue that a user sees.
fn journals(world: &World, login: &str, issue: i64) -> Vec<serde_json::Value> {
    let response = world
        .as_user(login)
        .get(&format!("/issues/{issue}.json?include=journals"))
        .assert_status(200)
        .json();
    response["issue"]["journals"].as_array().unwrap().clone()
}
