//! `/projects/:id/versions`, `/versions/:id` (compatibility 11.8)

mod create;
mod delete;
mod list;
mod sharing;
mod update;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Creates a version as this user.
fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/versions.json"),
        json!({ "version": fields }),
    )
}

/// Returns the names of the versions that the list of a project has.
fn names(world: &World, login: &str, project: &str) -> Vec<String> {
    let list = world
        .as_user(login)
        .get(&format!("/projects/{project}/versions.json"))
        .assert_status(200);
    list.texts("/versions", "name")
}
