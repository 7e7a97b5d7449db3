//! `/issue_statuses`, `/issue_statuses/:id` (compatibility 14)

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn create(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .post("/issue_statuses.json", json!({ "issue_status": fields }))
}

fn names(world: &World) -> Vec<String> {
    world
        .as_user("dave")
        .get("/issue_statuses.json")
        .assert_status(200)
        .texts("/issue_statuses", "name")
}

#[test]
fn status_is_created_shown_updated_and_deleted() {
    let world = World::new();
    let created = create(
        &world,
        json!({"name": " Verified ", "is_closed": true, "description": "Seen by a tester", "default_done_ratio": 90, "position": 2}),
    )
    .assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/issue_statuses/7");
    let shown = r#"{"issue_status":{"id":7,"name":"Verified","is_closed":true,"description":"Seen by a tester","default_done_ratio":90,"position":2}}"#;
    assert_eq!(created.body, shown);
    assert_eq!(
        world
            .as_user("admin")
            .get("/issue_statuses/7.json")
            .assert_status(200)
            .body,
        shown
    );
    assert_eq!(
        names(&world),
        [
            "New",
            "Verified",
            "In Progress",
            "Resolved",
            "Feedback",
            "Closed",
            "Rejected"
        ]
    );
    let body = b"<issue_status><name>Tested</name><is_closed>false</is_closed><description/><default_done_ratio/><position>99</position></issue_status>";
    let xml = world
        .as_user("admin")
        .send(
            Method::PUT,
            "/issue_statuses/7.xml",
            Some("application/xml"),
            body.to_vec(),
        )
        .assert_status(200)
        .body;
    let tested = "<issue_status><id>7</id><name>Tested</name><is_closed>false</is_closed><description/><default_done_ratio/><position>7</position></issue_status>";
    assert!(xml.ends_with(tested), "{xml}");
    assert_eq!(names(&world).last().unwrap(), "Tested");
    world
        .as_user("admin")
        .put("/issue_statuses/7.json", "{}")
        .assert_status(200)
        .assert_json_path("/issue_status/name", "Tested");
    assert_eq!(
        world
            .as_user("admin")
            .delete("/issue_statuses/7.json")
            .assert_status(204)
            .body,
        ""
    );
    world
        .as_user("admin")
        .delete("/issue_statuses/7.json")
        .assert_status(404);
    assert_eq!(names(&world).len(), 6);
}

#[test]
fn lists_show_fields_of_administrators_on_request_only() {
    let world = World::new();
    let plain = world
        .as_user("admin")
        .get("/issue_statuses.json")
        .assert_status(200)
        .body;
    assert_eq!(
        plain,
        world
            .as_user("dave")
            .get("/issue_statuses.json")
            .assert_status(200)
            .body
    );
    let full = world
        .as_user("admin")
        .get("/issue_statuses.json?include=administration")
        .assert_status(200)
        .json_path("/issue_statuses/0");
    assert_eq!(
        full,
        json!({"id": 1, "name": "New", "is_closed": false, "description": null, "default_done_ratio": null, "position": 1})
    );
    world
        .as_user("dave")
        .get("/issue_statuses.json?include=administration")
        .assert_status(403);
    world
        .anonymous()
        .get("/issue_statuses.json?include=administration")
        .assert_status(401);
}

#[test]
fn positions_have_no_gaps() {
    let world = World::new();
    world.sql("UPDATE issue_statuses SET position = position * 3");
    let before = names(&world);
    for id in 1..=6 {
        let path = format!("/issue_statuses/{id}.json");
        let shown = world.as_user("admin").get(&path).assert_status(200).json();
        assert_eq!(shown["issue_status"]["position"], id);
        world
            .as_user("admin")
            .put(&path, shown)
            .assert_status(200)
            .assert_json_path("/issue_status/position", id);
    }
    assert_eq!(names(&world), before, "what is read can be written");
}

#[test]
fn change_takes_effect_at_the_next_request() {
    let world = World::with_projects();
    let id = world.issue("open").subject("quokka").create();
    let path = format!("/issues/{id}.json");
    assert_eq!(
        (
            world.as_user("alice").total_count("/issues.json"),
            world.count_hits("alice", "quokka+is:open"),
            world.count_hits("alice", "quokka+is:closed")
        ),
        (1, 1, 0)
    );
    world
        .as_user("admin")
        .put(
            "/issue_statuses/1.json",
            json!({"issue_status": {"is_closed": true}}),
        )
        .assert_status(200);
    assert_eq!(
        (
            world.as_user("alice").total_count("/issues.json"),
            world.count_hits("alice", "quokka+is:open"),
            world.count_hits("alice", "quokka+is:closed")
        ),
        (0, 0, 1)
    );
    let issue = world
        .as_user("alice")
        .get(&path)
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(
        (&issue["closed_on"], &issue["status"]["is_closed"]),
        (&json!("2026-11-20T12:00:00Z"), &json!(true))
    );
    world
        .as_user("admin")
        .put(
            "/issue_statuses/1.json",
            json!({"issue_status": {"is_closed": false, "name": "Fresh"}}),
        )
        .assert_status(200);
    assert_eq!(
        (
            world.as_user("alice").total_count("/issues.json"),
            world.count_hits("alice", "quokka+is:open")
        ),
        (1, 1)
    );
    world
        .as_user("alice")
        .get(&path)
        .assert_status(200)
        .assert_json_path("/issue/status/name", "Fresh");
}

fn assert_in_use(world: &World, id: i64, sentence: &str) {
    let response = world
        .as_user("admin")
        .delete(&format!("/issue_statuses/{id}.json"));
    response.assert_status(422).assert_errors(&[format!(
        "The status is in use and cannot be deleted: {sentence}"
    )]);
}

#[test]
fn status_in_use_cannot_be_deleted() {
    let world = World::with_projects();
    assert_in_use(&world, 1, "it is the default status of the tracker Bug");
    let issue = world.issue("secret").create();
    world.edit(issue, |issue| {
        issue.status = quarry::domain::ids::StatusId(2)
    });
    assert_in_use(&world, 2, "there are issues in it");
    world.set(
        Setting::CommitUpdateKeywords,
        "solves status_id=3; ends status_id=3 done_ratio=100; fixes status_id=5",
    );
    world
        .as_user("admin")
        .delete("/issue_statuses/3.json")
        .assert_status(204);
    assert_eq!(
        world.setting(Setting::CommitUpdateKeywords),
        "ends done_ratio=100; fixes status_id=5"
    );
    let allowed = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json?include=allowed_statuses"))
        .assert_status(200);
    let allowed: Vec<i64> = allowed.integers("/issue/allowed_statuses", "id");
    assert_eq!(allowed, [1, 2, 4, 5, 6], "the workflow forgets the status");
}

fn update(world: &World, body: &str) -> Response {
    world.as_user("admin").put("/issue_statuses/1.json", body)
}

#[test]
fn invalid_statuses_are_refused() {
    let world = World::new();
    let cases = [
        (json!({}), vec!["Name cannot be blank"]),
        (json!({"name": " "}), vec!["Name cannot be blank"]),
        (json!({"name": "NEW"}), vec!["Name has already been taken"]),
        (json!({"name": "a\nb"}), vec!["Name is invalid"]),
        (
            json!({"name": "x".repeat(31), "position": 0}),
            vec![
                "Name is too long (maximum is 30 characters)",
                "Position must be 1 or more",
            ],
        ),
        (
            json!({"name": "A", "description": "d".repeat(256)}),
            vec!["Description is too long (maximum is 255 characters)"],
        ),
        (
            json!({"name": "A", "default_done_ratio": 101}),
            vec!["Default done ratio must be a whole number from 0 to 100"],
        ),
        (
            json!({"name": "A", "default_done_ratio": "x"}),
            vec!["Default done ratio is not a whole number"],
        ),
        (
            json!({"name": ["A"]}),
            vec!["Name is invalid (one value is expected, not a list)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    update(&world, r#"{"issue_status":{"name":"Other","position":-1}}"#)
        .assert_status(422)
        .assert_errors(&["Position must be 1 or more"]);
    update(&world, r#"{"issue_status":1}"#).assert_status(400);
    update(&world, "{").assert_status(400);
    assert_eq!(names(&world)[0], "New", "nothing is half done");
}

fn assert_refused(client: Client<'_>, status: u16) {
    client.get("/issue_statuses/1.json").assert_status(status);
    client
        .post("/issue_statuses.json", json!({"issue_status": {"name": 1}}))
        .assert_status(status);
    client
        .put(
            "/issue_statuses/1.xml",
            json!({"issue_status": {"position": "x"}}),
        )
        .assert_status(status);
    client
        .delete("/issue_statuses/6.json")
        .assert_status(status);
    client
        .delete("/issue_statuses/99.json")
        .assert_status(status);
}

#[test]
fn only_administrators_manage_statuses() {
    let world = World::new();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in [
        "/issue_statuses/99.json",
        "/issue_statuses/x.json",
        "/issue_statuses/-1.xml",
    ] {
        world.as_user("admin").get(path).assert_status(404);
        world.as_user("admin").put(path, "{}").assert_status(404);
    }
    assert_eq!(names(&world).len(), 6);
}
