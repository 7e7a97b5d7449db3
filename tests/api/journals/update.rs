//! `PUT /journals/:id` (compatibility 6.8)

use super::{journals, update};
use axum::http::Method;
use quarry_world::{MANAGER, REPORTER, Response, World};
use serde_json::json;

#[test]
fn updated_note_is_found_immediately() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    update(&world, "alice", id, json!({"notes": "zeppelin"}));
    assert_eq!(
        (
            world.count_hits("bob", "zeppelin"),
            world.count_hits("bob", "balloon")
        ),
        (1, 0)
    );
    assert_eq!(journals(&world, "bob", id)[0].get("updated_by"), None);
    let response = world
        .as_user("alice")
        .put("/journals/1.json", json!({"journal": {"notes": "balloon"}}))
        .assert_status(200)
        .json();
    assert_eq!(
        response["journal"]["updated_by"],
        json!({"id": 2, "name": "alice Tester"})
    );
    assert_eq!(journals(&world, "bob", id)[0]["updated_by"]["id"], 2);
    assert_eq!(response["journal"]["notes"], "balloon");
    assert_eq!(response["journal"]["issue"]["id"], id);
    assert_eq!(
        (
            world.count_hits("bob", "zeppelin"),
            world.count_hits("bob", "balloon")
        ),
        (0, 1)
    );
    let xml = b"<journal><notes>airship</notes></journal>".to_vec();
    let response = world
        .as_user("admin")
        .send(
            Method::PATCH,
            "/journals/1.xml",
            Some("application/xml"),
            xml,
        )
        .assert_status(200);
    assert!(
        response.body.contains(
            "<journal id=\"1\"><user id=\"2\" name=\"alice Tester\"/><notes>airship</notes>"
        ),
        "{response:?}"
    );
    let response = world
        .as_user("alice")
        .put(
            "/journals/1.json",
            json!({"journal": {"private_notes": true}}),
        )
        .assert_status(200)
        .json();
    assert_eq!(response["journal"]["private_notes"], true);
    assert_eq!(
        (
            journals(&world, "carol", id).len(),
            journals(&world, "bob", id).len()
        ),
        (0, 1)
    );
}

fn empty_note(world: &World, journal: i64) -> Response {
    world.as_user("alice").put(
        &format!("/journals/{journal}.json"),
        json!({"journal": {"notes": " "}}),
    )
}

#[test]
fn empty_note_deletes_a_journal_without_details() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    update(&world, "alice", id, json!({"notes": "only a note"}));
    update(
        &world,
        "alice",
        id,
        json!({"notes": "and more", "subject": "Better"}),
    );
    assert_eq!(empty_note(&world, 1).assert_status(204).body, "");
    empty_note(&world, 1).assert_status(404);
    empty_note(&world, 2)
        .assert_status(200)
        .assert_json_path("/journal/notes", "");
    let left = journals(&world, "alice", id);
    assert_eq!((left.len(), left[0]["id"].as_i64()), (1, Some(2)));
    world
        .as_user("alice")
        .get("/search.json?q=note")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn empty_update_changes_nothing() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    update(&world, "alice", id, json!({"notes": "as it was"}));
    for body in [
        "{}",
        "{\"journal\":{}}",
        "{\"journal\":null}",
        "{\"journal\":{\"user_id\":1,\"issue_id\":7,\"created_on\":\"2000-01-01\"}}",
    ] {
        let response = world
            .as_user("alice")
            .put("/journals/1.json", body)
            .assert_status(200)
            .json();
        assert_eq!(response["journal"]["notes"], "as it was", "{body}");
        assert_eq!(response["journal"]["user"]["id"], 2, "{body}");
    }
    let rejected = world
        .as_user("alice")
        .put("/journals/1.json", json!({"journal": {"notes": [1]}}))
        .assert_status(422);
    assert_eq!(
        rejected.errors(),
        ["Notes is invalid (one value is expected, not a list)"]
    );
    world
        .as_user("alice")
        .put("/journals/1.json", json!({"journal": {"notes": "a\0b"}}))
        .assert_status(422);
    world
        .as_user("alice")
        .put("/journals/1.json", json!({"journal": 1}))
        .assert_status(400);
    world
        .as_user("alice")
        .get("/journals/1.json")
        .assert_status(404);
}

fn put_note(world: &World, login: &str, journal: i64) -> Response {
    world.as_user(login).put(
        &format!("/journals/{journal}.json"),
        json!({"journal": {"notes": "mine"}}),
    )
}

#[test]
fn update_requires_permission_and_hidden_journals_are_not_found() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let hidden = world.issue("secret").create();
    update(&world, "alice", id, json!({"notes": "for all"}));
    update(
        &world,
        "alice",
        id,
        json!({"notes": "for few", "private_notes": true}),
    );
    update(&world, "alice", hidden, json!({"notes": "elsewhere"}));
    for login in ["bob", "carol", "dave"] {
        put_note(&world, login, 1).assert_status(403);
        assert_eq!(
            put_note(&world, login, 3).assert_status(404).body,
            put_note(&world, login, 9999).assert_status(404).body
        );
    }
    put_note(&world, "bob", 2).assert_status(403);
    assert_eq!(
        put_note(&world, "carol", 2).assert_status(404).body,
        put_note(&world, "carol", 9999).assert_status(404).body
    );
    let body = json!({"journal": {"notes": "mine"}});
    world
        .anonymous()
        .put("/journals/1.json", &body)
        .assert_status(401);
    for path in [
        "/journals/x.json",
        "/journals/0.json",
        "/journals/99999999999999999999.xml",
    ] {
        world.as_user("alice").put(path, &body).assert_status(404);
    }
    assert_eq!(journals(&world, "alice", id)[0]["notes"], "for all");
}

/// The journal has only the change of a custom field that managers see.
#[test]
fn journal_without_visible_content_is_not_found() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.sql(&format!(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible) VALUES (1, 'IssueCustomField', 'Hidden', 'string', 1, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES (1, 1);
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (1, {});
         INSERT INTO role_permissions (role_id, name) VALUES ({}, 'edit_issue_notes');",
        MANAGER.0, REPORTER.0
    ));
    update(
        &world,
        "alice",
        id,
        json!({"custom_fields": [{"id": 1, "value": "hushed"}]}),
    );
    assert_eq!(
        (
            journals(&world, "alice", id).len(),
            journals(&world, "carol", id).len()
        ),
        (1, 0)
    );
    let body = json!({"journal": {"notes": "seen"}});
    let response = world
        .as_user("carol")
        .put("/journals/1.json", &body)
        .assert_status(404);
    assert_eq!(
        response.body,
        world
            .as_user("carol")
            .put("/journals/9999.json", &body)
            .assert_status(404)
            .body
    );
    world
        .as_user("alice")
        .put("/journals/1.json", &body)
        .assert_status(200);
    // The note makes the journal visible to carol, who may then change it.
    world
        .as_user("carol")
        .put("/journals/1.json", &body)
        .assert_status(200)
        .assert_json_path("/journal/notes", "seen");
}
