mod create;
mod delete;
mod schedule;
mod show;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Creates a relation from an issue.
fn relate(world: &World, login: &str, issue: i64, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/issues/{issue}/relations.json"),
        json!({"relation": fields}),
    )
}

/// Returns the journal details of an issue as `property name old new`.
fn history(world: &World, login: &str, issue: i64) -> Vec<String> {
    let response = world
        .as_user(login)
        .get(&format!("/issues/{issue}.json?include=journals"))
        .assert_status(200)
        .json();
    let details = response["issue"]["journals"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|journal| journal["details"].as_array().unwrap().clone());
    details
        .map(|d| {
            ["property", "name", "old_value", "new_value"]
                .map(|key| d[key].as_str().unwrap_or("-").to_owned())
                .join(" ")
        })
        .collect()
}
