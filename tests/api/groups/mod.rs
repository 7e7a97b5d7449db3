//! `/groups`, `/groups/:id`, `/groups/:id/users` (compatibility 11.2)

mod manage;
mod users;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Creates a group as the administrator; the first one has the id 7.
fn create(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .post("/groups.json", json!({ "group": fields }))
}

/// Returns the ids of the users of a group.
fn users_of(world: &World, group: i64) -> Vec<i64> {
    let shown = world
        .as_user("admin")
        .get(&format!("/groups/{group}.json?include=users"))
        .assert_status(200);
    shown.integers("/group/users", "id")
}

fn users_and_projects(world: &World, login: &str) -> (Vec<i64>, Vec<String>) {
    let group = world
        .as_user(login)
        .get("/groups/7.json?include=users,memberships")
        .assert_status(200);
    let users: Vec<i64> = group.integers("/group/users", "id");
    (
        users,
        group
            .array("/group/memberships")
            .iter()
            .map(|membership: &Value| membership["project"]["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>(),
    )
}

fn to_strings(names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| (*name).to_owned())
        .collect::<Vec<_>>()
}

#[test]
fn group_shows_only_visible_users_and_memberships() {
    let world = World::with_projects();
    world.project("past").create();
    create(&world, json!({"name": "Quality", "user_ids": [3, 5, 6]})).assert_status(201);
    for project in ["open", "secret", "past"] {
        let membership = json!({"membership": {"user_id": 7, "role_ids": [4]}});
        world
            .as_user("admin")
            .post(&format!("/projects/{project}/memberships.json"), membership)
            .assert_status(201);
    }
    world.sql("UPDATE projects SET status = 9 WHERE identifier = 'past'");
    assert_eq!(
        users_and_projects(&world, "admin"),
        (vec![3, 5, 6], to_strings(&["open", "secret"])),
        "not of archived projects"
    );
    assert_eq!(
        users_and_projects(&world, "carol"),
        (vec![3, 5], to_strings(&["open"])),
        "neither locked users nor hidden projects"
    );
    assert_eq!(
        users_and_projects(&world, "bob"),
        (vec![3, 5], to_strings(&["open", "secret"]))
    );
    let xml = world
        .as_user("carol")
        .get("/groups/7.xml?include=users,memberships")
        .assert_status(200)
        .body;
    let expected = "<users type=\"array\"><user id=\"3\" name=\"bob Tester\"/><user id=\"5\" name=\"dave Tester\"/></users>\
                    <memberships type=\"array\"><membership><id>";
    assert!(xml.contains(expected) && !xml.contains("secret"), "{xml}");
    assert!(
        !world
            .as_user("carol")
            .get("/groups/7.json")
            .assert_status(200)
            .body
            .contains("users"),
        "only on request"
    );
}

#[test]
fn hidden_users_of_a_visible_group_are_left_out() {
    let world = World::with_projects();
    create(&world, json!({"name": "Quality", "user_ids": [3, 4, 5]})).assert_status(201);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    // Carol sees the group because she is in it.
    let group = world
        .as_user("carol")
        .get("/groups/7.json?include=users")
        .assert_status(200);
    assert_eq!(
        group.json_path("/group/users"),
        json!([{"id": 3, "name": "bob Tester"}, {"id": 4, "name": "carol Tester"}])
    );
}
