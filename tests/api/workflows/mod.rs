//! `/workflows` (compatibility 14)

use axum::http::Method;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

const REPORTER_AND_BUG: &str = "/workflows.json?role_id=5&tracker_id=1";

fn put(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .put(REPORTER_AND_BUG, json!({ "workflow": fields }))
}

fn shown_workflow(world: &World) -> Value {
    world
        .as_user("admin")
        .get(REPORTER_AND_BUG)
        .assert_status(200)
        .json_path("/workflow")
}

#[test]
fn workflow_is_shown_and_replaced() {
    let world = World::new();
    let before = shown_workflow(&world);
    assert_eq!(
        (&before["role"]["name"], &before["tracker"]["name"]),
        (&json!("Reporter"), &json!("Bug"))
    );
    assert_eq!(
        before["transitions"][0],
        json!({"old_status_id": 1, "new_status_id": 5, "author": false, "assignee": false})
    );
    assert_eq!(before["field_permissions"], json!([]));
    let fields = json!({
        "transitions": [
            {"old_status_id": 1, "new_status_id": 2, "author": true},
            {"old_status_id": 1, "new_status_id": 3, "assignee": 1},
            {"old_status_id": 0, "new_status_id": 2},
            {"new_status_id": 1},
            {"new_status_id": 1},
        ],
        "field_permissions": [
            {"status_id": 2, "field_name": "due_date", "rule": "required"},
            {"status_id": 1, "field_name": "subject", "rule": "readonly"},
        ],
    });
    let replaced = put(&world, fields)
        .assert_status(200)
        .json_path("/workflow");
    let expected = json!([
        {"old_status_id": null, "new_status_id": 1, "author": false, "assignee": false},
        {"old_status_id": null, "new_status_id": 2, "author": false, "assignee": false},
        {"old_status_id": 1, "new_status_id": 2, "author": true, "assignee": false},
        {"old_status_id": 1, "new_status_id": 3, "author": false, "assignee": true},
    ]);
    assert_eq!(replaced["transitions"], expected);
    let rules = json!([
        {"status_id": 1, "field_name": "subject", "rule": "readonly"},
        {"status_id": 2, "field_name": "due_date", "rule": "required"},
    ]);
    assert_eq!(replaced["field_permissions"], rules);
    put(&world, json!({})).assert_status(200);
    assert_eq!(
        shown_workflow(&world),
        replaced,
        "what the body does not have stays"
    );
    put(&world, json!({"transitions": []})).assert_status(200);
    assert_eq!(
        (
            &shown_workflow(&world)["transitions"],
            &shown_workflow(&world)["field_permissions"]
        ),
        (&json!([]), &rules)
    );
    put(&world, replaced.clone()).assert_status(200);
    assert_eq!(
        shown_workflow(&world),
        replaced,
        "what is read can be written"
    );
    let other = world
        .as_user("admin")
        .get("/workflows.json?role_id=5&tracker_id=2")
        .assert_status(200)
        .json_path("/workflow");
    assert_eq!(
        other["transitions"], before["transitions"],
        "other trackers keep theirs"
    );
}

#[test]
fn workflow_is_read_and_written_as_xml() {
    let world = World::new();
    let body = b"<workflow><transitions type=\"array\"><transition><old_status_id/><new_status_id>2</new_status_id></transition></transitions><field_permissions type=\"array\"><field_permission><status_id>1</status_id><field_name>due_date</field_name><rule>readonly</rule></field_permission></field_permissions></workflow>".to_vec();
    let path = "/workflows.xml?role_id=2&tracker_id=3";
    let xml = world
        .as_user("admin")
        .send(Method::PUT, path, Some("application/xml"), body)
        .assert_status(200)
        .body;
    let expected = "<workflow><role id=\"2\" name=\"Anonymous\"/><tracker id=\"3\" name=\"Support\"/><transitions type=\"array\"><transition><old_status_id/><new_status_id>2</new_status_id><author>false</author><assignee>false</assignee></transition></transitions><field_permissions type=\"array\"><field_permission><status_id>1</status_id><field_name>due_date</field_name><rule>readonly</rule></field_permission></field_permissions></workflow>";
    assert!(xml.ends_with(expected), "{xml}");
    assert_eq!(
        world.as_user("admin").get(path).assert_status(200).body,
        xml
    );
}

fn statuses(world: &World, issue: i64) -> Vec<i64> {
    let shown = world
        .as_user("carol")
        .get(&format!("/issues/{issue}.json?include=allowed_statuses"))
        .assert_status(200);
    shown.integers("/issue/allowed_statuses", "id")
}

fn update(world: &World, issue: i64, fields: Value) -> Response {
    world
        .as_user("carol")
        .put(&format!("/issues/{issue}.json"), json!({ "issue": fields }))
}

#[test]
fn change_takes_effect_at_the_next_request() {
    let world = World::with_projects();
    let issue = world
        .issue("open")
        .author("carol")
        .field("due_date", "2026-12-01")
        .create();
    assert_eq!(statuses(&world, issue), [1, 5]);
    let transitions = json!([{"old_status_id": 1, "new_status_id": 2, "author": true}, {"old_status_id": 1, "new_status_id": 3, "assignee": true}]);
    put(&world, json!({ "transitions": transitions })).assert_status(200);
    assert_eq!(
        statuses(&world, issue),
        [1, 2],
        "carol is the author, but not the assignee"
    );
    world
        .as_user("admin")
        .put(
            "/roles/5.json",
            json!({"role": {"permissions": ["view_issues", "edit_issues"]}}),
        )
        .assert_status(200);
    put(&world, json!({"field_permissions": [{"status_id": 1, "field_name": "due_date", "rule": "readonly"}]})).assert_status(200);
    update(&world, issue, json!({"due_date": "2026-12-24"}))
        .assert_status(200)
        .assert_json_path("/issue/due_date", "2026-12-01");
    put(&world, json!({"field_permissions": [{"status_id": 1, "field_name": "due_date", "rule": "required"}]})).assert_status(200);
    update(&world, issue, json!({"due_date": ""}))
        .assert_status(422)
        .assert_errors(&["Due date cannot be blank"]);
}

fn field_rule(status: i64, field: &str, rule: &str) -> Value {
    json!({"field_permissions": [{"status_id": status, "field_name": field, "rule": rule}]})
}

#[test]
fn invalid_workflows_are_refused() {
    let world = World::new();
    let before = world
        .as_user("admin")
        .get(REPORTER_AND_BUG)
        .assert_status(200)
        .body;
    let cases = [
        (
            json!({"transitions": [{"old_status_id": 99, "new_status_id": 1}]}),
            "Transitions is invalid (unknown status 99)",
        ),
        (
            json!({"transitions": [{"old_status_id": 1}], "field_permissions": []}),
            "Transitions is invalid (unknown status 0)",
        ),
        (
            json!({"transitions": 1}),
            "Transitions is invalid (a list of at most 10000 objects is expected)",
        ),
        (
            json!({"transitions": [1]}),
            "Transitions is invalid (each must be an object, not a number)",
        ),
        (
            json!({"transitions": [{"new_status_id": [1]}]}),
            "New status is invalid (one value is expected, not a list)",
        ),
        (
            field_rule(99, "due_date", "readonly"),
            "Field permissions is invalid (unknown status 99)",
        ),
        (
            field_rule(1, "colour", "readonly"),
            "Field permissions is invalid (unknown field colour)",
        ),
        (
            field_rule(1, "7", "readonly"),
            "Field permissions is invalid (unknown field 7)",
        ),
        (
            field_rule(1, "due_date", "hidden"),
            "Field permissions is invalid (unknown rule hidden)",
        ),
        (
            field_rule(1, "priority_id", "required"),
            "Field permissions is invalid (priority_id always has a value and cannot be required)",
        ),
    ];
    for (fields, sentence) in cases {
        put(&world, fields)
            .assert_status(422)
            .assert_errors(&[sentence]);
    }
    world
        .as_user("admin")
        .put(REPORTER_AND_BUG, "{")
        .assert_status(400);
    world
        .as_user("admin")
        .put(REPORTER_AND_BUG, r#"{"workflow":1}"#)
        .assert_status(400);
    assert_eq!(
        world
            .as_user("admin")
            .get(REPORTER_AND_BUG)
            .assert_status(200)
            .body,
        before,
        "nothing is half done"
    );
}

#[test]
fn workflow_needs_a_tracker_and_a_role() {
    let world = World::new();
    let admin = world.as_user("admin");
    admin
        .get("/workflows.json")
        .assert_status(422)
        .assert_errors(&["tracker_id cannot be blank"]);
    admin
        .get("/workflows.json?tracker_id=1")
        .assert_status(422)
        .assert_errors(&["role_id cannot be blank"]);
    admin
        .put("/workflows.xml?role_id=1&tracker_id=", "{}")
        .assert_status(422)
        .assert_errors(&["tracker_id cannot be blank"]);
    for query in [
        "role_id=99&tracker_id=1",
        "role_id=3&tracker_id=99",
        "role_id=x&tracker_id=1",
    ] {
        admin
            .get(&format!("/workflows.json?{query}"))
            .assert_status(404);
        admin
            .put(&format!("/workflows.json?{query}"), "{}")
            .assert_status(404);
    }
}

fn assert_refused(client: Client<'_>, status: u16) {
    client.get(REPORTER_AND_BUG).assert_status(status);
    client.get("/workflows.xml").assert_status(status);
    client
        .put(REPORTER_AND_BUG, json!({"workflow": {"transitions": 1}}))
        .assert_status(status);
}

#[test]
fn only_administrators_read_and_write_workflows() {
    let world = World::new();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
}
