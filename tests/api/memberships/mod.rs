//! `/projects/:id/memberships`, `/memberships/:id` (compatibility 11.7)

mod create;
mod delete;
mod inherited;
mod list;
mod managed_roles;
mod update;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Creates memberships as this user.
fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/memberships.json"),
        json!({ "membership": fields }),
    )
}

fn describe(membership: &Value) -> (i64, String, String) {
    let member = membership
        .get("user")
        .or_else(|| membership.get("group"))
        .unwrap();
    let roles = membership["roles"].as_array().unwrap().iter().map(|role| {
        let mark = if role.get("inherited").is_some() {
            "*"
        } else {
            ""
        };
        format!("{}{mark}", role["name"].as_str().unwrap())
    });
    let roles: Vec<String> = roles.collect();
    (
        membership["id"].as_i64().unwrap(),
        member["name"].as_str().unwrap().to_owned(),
        roles.join(" "),
    )
}

/// Returns the memberships of a project as alice sees them: id, name of the member, names of the
/// roles with `*` for inherited ones.
fn members(world: &World, project: &str) -> Vec<(i64, String, String)> {
    let list = world
        .as_user("alice")
        .get(&format!("/projects/{project}/memberships.json?limit=100"))
        .assert_status(200);
    list.array("/memberships").iter().map(describe).collect()
}

/// One row of [`members`].
fn row(id: i64, name: &str, roles: &str) -> (i64, String, String) {
    (id, name.to_owned(), roles.to_owned())
}
