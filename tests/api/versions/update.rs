//! `PUT /versions/:id`

use super::create;
use axum::http::Method;
use quarry_world::World;
use serde_json::{Value, json};

#[test]
fn version_is_updated() {
    let world = World::with_projects();
    create(
        &world,
        "alice",
        "open",
        json!({"name": "1.0", "due_date": "2030-01-01", "wiki_page_title": "Plan"}),
    )
    .assert_status(201);
    world.issue("open").field("fixed_version_id", 1).create();
    let shown =
        world.as_user("bob").put("/versions/1.json", r#"{"version":{"name":"1.1","status":"closed","due_date":null,"wiki_page_title":"","project_id":2}}"#).assert_status(200);
    let version = shown.json_path("/version");
    assert_eq!(
        (&version["name"], &version["status"], &version["due_date"]),
        (&json!("1.1"), &json!("closed"), &json!(null))
    );
    assert_eq!(
        (&version["wiki_page_title"], &version["project"]["id"]),
        (&json!(null), &json!(1))
    );
    let found = world
        .as_user("alice")
        .get("/search.json?q=version:1.1")
        .assert_status(200);
    assert_eq!(
        found.integer("/total_count"),
        1,
        "the next search knows the new name"
    );
    world
        .as_user("alice")
        .get("/search.json?q=version:1.0")
        .assert_status(422);
    let issue = world.as_user("alice").post(
        "/issues.json",
        json!({"issue": {"project_id": 1, "subject": "a", "fixed_version_id": 1}}),
    );
    issue
        .assert_status(422)
        .assert_errors(&["Target version is not included in the list"]);
    let body = b"<version><effective_date>2031-01-01</effective_date></version>".to_vec();
    let xml = world
        .as_user("alice")
        .send(
            Method::PATCH,
            "/versions/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(xml.contains("<due_date>2031-01-01</due_date>"), "{xml}");
    world
        .as_user("bob")
        .put("/versions/1.json", "{}")
        .assert_status(200)
        .assert_json_path("/version/name", "1.1");
}

fn set_default(world: &World, id: i64, on: bool) {
    let body = json!({"version": {"default_project_version": on}});
    world
        .as_user("alice")
        .put(&format!("/versions/{id}.json"), body)
        .assert_status(200);
}

fn default_version(world: &World) -> Value {
    world
        .as_user("alice")
        .get("/projects/open.json")
        .assert_status(200)
        .json()["project"]["default_version"]["id"]
        .clone()
}

#[test]
fn default_version_of_the_project_is_set_and_cleared() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    create(&world, "alice", "open", json!({"name": "2.0"})).assert_status(201);
    set_default(&world, 1, true);
    assert_eq!(default_version(&world), 1);
    set_default(&world, 2, false);
    assert_eq!(default_version(&world), 1);
    set_default(&world, 1, false);
    assert!(default_version(&world).is_null());
}

#[test]
fn invalid_changes_are_refused_and_change_nothing() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    create(&world, "alice", "open", json!({"name": "2.0"})).assert_status(201);
    world
        .as_user("alice")
        .put(
            "/versions/2.json",
            r#"{"version":{"name":"1.0","status":"locked"}}"#,
        )
        .assert_status(422)
        .assert_errors(&["Name has already been taken"]);
    world
        .as_user("alice")
        .put("/versions/2.json", r#"{"version":{"due_date":"2026-1-1"}}"#)
        .assert_status(422)
        .assert_errors(&["Due date is not a valid date"]);
    world
        .as_user("alice")
        .put("/versions/2.json", r#"{"version":{"sharing":"all"}}"#)
        .assert_status(422)
        .assert_errors(&["Sharing is not included in the list"]);
    world
        .as_user("alice")
        .put("/versions/2.json", r#"{"version":"x"}"#)
        .assert_status(400);
    world
        .as_user("alice")
        .put("/versions/2.json", "[")
        .assert_status(400);
    world
        .as_user("alice")
        .put("/versions/9.json", json!({}))
        .assert_status(404);
    world
        .as_user("alice")
        .get("/versions/2.json")
        .assert_status(200)
        .assert_json_path("/version/status", "open");
}

fn put_description(world: &World, value: serde_json::Value) -> Value {
    let body = json!({"version": {"description": value}});
    world
        .as_user("alice")
        .put("/versions/1.json", body)
        .assert_status(200)
        .json_path("/version/description")
}

#[test]
fn null_description_differs_from_an_empty_one() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "1.0"}))
        .assert_status(201)
        .assert_json_path("/version/description", "");
    assert_eq!(
        [
            put_description(&world, json!(null)),
            put_description(&world, json!(""))
        ],
        [json!(null), json!("")]
    );
    put_description(&world, json!(null));
    let xml = world
        .as_user("alice")
        .get("/versions/1.xml")
        .assert_status(200)
        .body;
    assert!(xml.contains("<description/>"), "{xml}");
}
