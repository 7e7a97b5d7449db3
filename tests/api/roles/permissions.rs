//! A change of a role is a change of the rights of its members, with their next request.

use super::update;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn delete_issue(world: &World, issue: i64, status: u16) {
    world
        .as_user("carol")
        .delete(&format!("/issues/{issue}.json"))
        .assert_status(status);
}

#[test]
fn members_gain_and_lose_permissions_at_once() {
    let world = World::with_projects();
    let issue = world.issue("open").subject("quokka").create();
    delete_issue(&world, issue, 403);
    assert_eq!(
        world.as_user("carol").total_count("/search.json?q=quokka"),
        1
    );
    update(&world, 5, json!({"permissions": []})).assert_status(200);
    world
        .as_user("carol")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(403);
    assert_eq!(
        world.as_user("carol").total_count("/search.json?q=quokka"),
        0
    );
    update(
        &world,
        5,
        json!({"permissions": ["view_issues", "delete_issues"]}),
    )
    .assert_status(200);
    assert_eq!(
        world.as_user("carol").total_count("/search.json?q=quokka"),
        1
    );
    delete_issue(&world, issue, 200);
}

fn count_found_and_listed(world: &World) -> (i64, i64) {
    let search = world
        .as_user("carol")
        .get("/search.json?q=quokka")
        .assert_status(200)
        .integer("/total_count");
    let list = world
        .as_user("carol")
        .get("/issues.json")
        .assert_status(200)
        .integer("/total_count");
    (search, list)
}

#[test]
fn visibility_and_limits_to_trackers_apply_at_once() {
    let world = World::with_projects();
    for tracker in [1, 2] {
        world
            .issue("open")
            .subject("quokka")
            .field("tracker_id", tracker)
            .create();
    }
    assert_eq!(count_found_and_listed(&world), (2, 2));
    update(
        &world,
        5,
        json!({"permissions_tracker_ids": {"view_issues": [2]}}),
    )
    .assert_status(200);
    assert_eq!(count_found_and_listed(&world), (1, 1));
    update(
        &world,
        5,
        json!({"permissions_tracker_ids": {}, "issues_visibility": "own"}),
    )
    .assert_status(200);
    assert_eq!(count_found_and_listed(&world), (0, 0));
    update(&world, 5, json!({"issues_visibility": "default"})).assert_status(200);
    assert_eq!(count_found_and_listed(&world), (2, 2));
}

fn membership(role: i64) -> Value {
    json!({"membership": {"user_id": 5, "role_ids": [role]}})
}

fn add_dave(world: &World, role: i64) -> Response {
    world
        .as_user("alice")
        .post("/projects/open/memberships.json", membership(role))
}

#[test]
fn managed_roles_limit_what_members_may_give() {
    let world = World::with_projects();
    update(&world, 3, json!({"managed_role_ids": [5]})).assert_status(200);
    add_dave(&world, 4).assert_status(422);
    update(&world, 3, json!({"all_roles_managed": true})).assert_status(200);
    add_dave(&world, 4).assert_status(201);
}
