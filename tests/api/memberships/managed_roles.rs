//! Roles whose members may give only some roles.

use super::{create, members, row};
use quarry_world::{Response, World};
use serde_json::json;

/// Alice, a manager, may give and take the role Reporter only.
fn world_with_limits() -> World {
    let world = World::with_projects();
    world.sql(
        "UPDATE roles SET all_roles_managed = 0 WHERE id = 3; INSERT INTO roles_managed_roles (role_id, managed_role_id) VALUES (3, 5)",
    );
    world
}

#[test]
fn roles_that_the_viewer_may_not_give_are_ignored() {
    let world = world_with_limits();
    create(
        &world,
        "alice",
        "open",
        json!({"user_id": 5, "role_ids": [3, 4]}),
    )
    .assert_status(422)
    .assert_errors(&["Role cannot be empty"]);
    create(
        &world,
        "alice",
        "open",
        json!({"user_id": 5, "role_ids": [3, 5]}),
    )
    .assert_status(201);
    assert_eq!(
        members(&world, "open")[3],
        row(5, "dave Tester", "Reporter")
    );
    create(
        &world,
        "admin",
        "secret",
        json!({"user_id": 5, "role_ids": [3, 4]}),
    )
    .assert_status(201);
}

fn put_roles(world: &World, roles: &str) -> Response {
    world.as_user("alice").put(
        "/memberships/2.json",
        format!("{{\"membership\":{{\"role_ids\":{roles}}}}}"),
    )
}

#[test]
fn roles_that_the_viewer_may_not_take_stay() {
    let world = world_with_limits();
    put_roles(&world, "[3,5]").assert_status(200);
    assert_eq!(
        members(&world, "open")[1],
        row(2, "bob Tester", "Developer Reporter")
    );
    put_roles(&world, "[]").assert_status(200);
    assert_eq!(
        members(&world, "open")[1],
        row(2, "bob Tester", "Developer")
    );
    let refused = world.as_user("alice").delete("/memberships/2.json");
    refused
        .assert_status(422)
        .assert_errors(&["The membership has a role that you may not manage"]);
    world
        .as_user("alice")
        .delete("/memberships/3.json")
        .assert_status(200);
    world
        .as_user("admin")
        .delete("/memberships/2.json")
        .assert_status(200);
}
