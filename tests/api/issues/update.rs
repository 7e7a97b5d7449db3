//! `PUT /issues/:id` (compatibility 6.5)

use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn update(world: &World, id: i64, login: &str, body: &str) -> Value {
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), body)
        .assert_status(200)
        .json_path("/issue")
}

#[test]
fn update_returns_the_issue() {
    let world = World::with_projects();
    let id = world.issue("open").field("assigned_to_id", 3).create();
    let issue = update(
        &world,
        id,
        "alice",
        r#"{"issue":{"subject":"Better","status_id":5,"notes":"done"}}"#,
    );
    assert_eq!(issue["subject"], "Better");
    assert_eq!(issue["status"]["name"], "Closed");
    assert_eq!(issue["closed_on"], "2026-11-20T12:00:00Z");
    let issue = update(
        &world,
        id,
        "alice",
        r#"{"issue":{"status_id":4,"assigned_to_id":null}}"#,
    );
    assert!(
        issue["closed_on"].is_null() && issue.get("assigned_to").is_none(),
        "{issue}"
    );
}

#[test]
fn transitions_outside_the_workflow_are_ignored() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    assert_eq!(
        update(&world, id, "bob", r#"{"issue":{"status_id":6}}"#)["status"]["id"],
        1
    );
    assert_eq!(
        update(&world, id, "bob", r#"{"issue":{"status_id":2}}"#)["status"]["id"],
        2
    );
    assert_eq!(
        update(
            &world,
            id,
            "carol",
            r#"{"issue":{"status_id":5,"subject":"Mine now"}}"#
        )["subject"],
        "A thing"
    );
}

fn put(world: &World, id: i64, login: &str, body: &str) -> Response {
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), body)
}

#[test]
fn invalid_update_changes_nothing() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let rejected = put(
        &world,
        id,
        "alice",
        r#"{"issue":{"subject":"","status_id":5,"notes":"half"}}"#,
    )
    .assert_status(422);
    assert_eq!(rejected.errors(), ["Subject cannot be blank"]);
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["subject"], "A thing");
    assert_eq!(issue["status"]["id"], 1);
    world
        .as_user("alice")
        .get("/search.json?q=half")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
    for body in [
        "{}",
        "{\"issue\":{}}",
        "{\"issue\":null}",
        r#"{"issue":{"subject":"A thing"}}"#,
    ] {
        assert_eq!(
            put(&world, id, "alice", body).assert_status(200).json()["issue"],
            issue,
            "{body}"
        );
    }
    put(&world, id, "alice", "{").assert_status(400);
}

#[test]
fn update_requires_permission() {
    let world = World::with_projects();
    let hidden = world.issue("secret").create();
    let body = json!({"issue": {"notes": "hello"}});
    world
        .as_user("dave")
        .put(&format!("/issues/{hidden}.json"), &body)
        .assert_status(403);
    world
        .as_user("dave")
        .put("/issues/999.json", &body)
        .assert_status(404);
    world
        .anonymous()
        .put(&format!("/issues/{hidden}.json"), &body)
        .assert_status(401);
}

#[test]
fn compatibility_mode_returns_204() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.set(Setting::RedmineCompatibility, "1");
    let response = world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"subject": "x"}}),
        )
        .assert_status(204);
    assert_eq!((response.body.as_str(), response.content_type()), ("", ""));
    world
        .as_user("alice")
        .delete(&format!("/issues/{id}.json"))
        .assert_status(204);
}

#[test]
fn line_endings_are_no_change_and_written_as_crlf() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let path = format!("/issues/{id}.json");
    let alice = world.as_user("alice");
    let put = |text: &str| {
        let body = json!({"issue": {"description": text}}).to_string();
        assert!([200, 204].contains(&alice.put(&path, body).status));
    };
    let shown = || world.show_issue("alice", id, "journals");
    put("one\ntwo");
    let changes = shown()["journals"].as_array().unwrap().len();
    for same in ["one\r\ntwo", "one\rtwo", "one\ntwo"] {
        put(same);
        assert_eq!(shown()["description"], "one\r\ntwo");
        let journals = shown()["journals"].as_array().unwrap().len();
        assert_eq!(journals, changes, "{same:?}");
    }
    let stored: String = world.database().value("SELECT description FROM issues");
    assert_eq!(stored, "one\ntwo");
    let issue = shown();
    let details = &issue["journals"][changes - 1]["details"][0];
    assert_eq!(details["new_value"], "one\r\ntwo");
    put("one\r\ntwo");
    assert_eq!(shown()["journals"].as_array().unwrap().len(), changes);
}
