//! The default query of a project (compatibility 8 and 13.7).

use super::{add, update};
use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Public queries for all projects (1), in `open` (2) and in `secret` (3), a private one (4), and
/// one for reporters (5).
fn world() -> World {
    let world = World::with_projects();
    add(
        &world,
        "admin",
        json!({"name": "Everywhere", "visibility": "public"}),
    )
    .assert_status(201);
    add(
        &world,
        "alice",
        json!({"name": "Open", "project_id": "open", "visibility": "public"}),
    )
    .assert_status(201);
    add(
        &world,
        "alice",
        json!({"name": "Secret", "project_id": "secret", "visibility": "public"}),
    )
    .assert_status(201);
    add(
        &world,
        "alice",
        json!({"name": "Mine", "project_id": "open"}),
    )
    .assert_status(201);
    add(
        &world,
        "alice",
        json!({"name": "Reporters", "project_id": 1, "visibility": "roles", "role_ids": [5]}),
    )
    .assert_status(201);
    world
}

fn set(world: &World, id: Value) -> Response {
    world.as_user("alice").put(
        "/projects/open.json",
        json!({"project": {"default_issue_query_id": id}}),
    )
}

fn shown(world: &World) -> Value {
    world
        .as_user("dave")
        .get("/projects/open.json")
        .assert_status(200)
        .json()["project"]["default_issue_query"]
        .clone()
}

fn create(world: &World, identifier: &str, id: i64) -> Response {
    let project =
        json!({"name": identifier, "identifier": identifier, "default_issue_query_id": id});
    world
        .as_user("admin")
        .post("/projects.json", json!({"project": project}))
}

#[test]
fn default_query_is_a_public_one_of_the_project_or_for_all() {
    let world = world();
    for id in [1, 2] {
        let updated = set(&world, id.into()).assert_status(200);
        assert_eq!(updated.json()["project"]["default_issue_query"]["id"], id);
    }
    assert_eq!(shown(&world), json!({"id": 2, "name": "Open"}));
    for id in [json!(3), json!(4), json!(5), json!(99), json!("x")] {
        set(&world, id)
            .assert_status(422)
            .assert_errors(&["Default issue query is invalid"]);
    }
    set(&world, 2.into()).assert_status(200);
    set(&world, Value::Null).assert_status(200);
    assert_eq!(shown(&world), Value::Null);
    create(&world, "new", 1).assert_status(422);
    let created = create(&world, "newer", 1).assert_status(201);
    assert_eq!(
        created.json()["project"]["default_issue_query"],
        json!({"id": 1, "name": "Everywhere"})
    );
    create(&world, "newest", 2)
        .assert_status(422)
        .assert_errors(&["Default issue query is invalid"]);
}

#[test]
fn strict_responses_have_no_default_query() {
    let world = world();
    let before = world
        .as_user("dave")
        .get("/projects/open.json")
        .assert_status(200)
        .body;
    world.set(Setting::RedmineCompatibility, "1");
    world.sql("UPDATE projects SET default_issue_query_id = 2 WHERE id = 1");
    assert_eq!(
        world
            .as_user("dave")
            .get("/projects/open.json")
            .assert_status(200)
            .body,
        before
    );
    world.set(Setting::RedmineCompatibility, "0");
    assert_eq!(shown(&world)["id"], 2);
}

#[test]
fn query_that_is_deleted_or_no_longer_fits_is_no_default_query_any_more() {
    let world = world();
    set(&world, 2.into()).assert_status(200);
    update(&world, "alice", 2, json!({"name": "Renamed"})).assert_status(200);
    assert_eq!(shown(&world), json!({"id": 2, "name": "Renamed"}));
    for change in [
        json!({"visibility": "private"}),
        json!({"visibility": "roles", "role_ids": [5]}),
        json!({"project_id": "secret"}),
    ] {
        update(&world, "alice", 2, change).assert_status(200);
        update(
            &world,
            "alice",
            2,
            json!({"project_id": "open", "visibility": "public"}),
        )
        .assert_status(200);
        assert_eq!(shown(&world), Value::Null, "also after it fits again");
        set(&world, 2.into()).assert_status(200);
    }
    world
        .as_user("alice")
        .delete("/queries/2.json")
        .assert_status(200);
    assert_eq!(shown(&world), Value::Null);
    set(&world, 1.into()).assert_status(200);
    update(&world, "admin", 1, json!({"description": "x"})).assert_status(200);
    assert_eq!(shown(&world)["id"], 1);
    world
        .as_user("admin")
        .delete("/queries/1.json")
        .assert_status(200);
    assert_eq!(shown(&world), Value::Null);
}

#[test]
fn imported_default_query_that_does_not_exist_or_is_hidden_is_not_shown() {
    let world = world();
    for id in [3, 4, 99] {
        world.sql(&format!(
            "UPDATE projects SET default_issue_query_id = {id} WHERE id = 1"
        ));
        assert_eq!(shown(&world), Value::Null);
        let change =
            json!({"project": {"name": format!("Open {id}"), "default_issue_query_id": id}});
        world
            .as_user("alice")
            .put("/projects/open.json", change)
            .assert_status(200);
    }
}
