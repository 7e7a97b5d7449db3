//! `POST /time_entries`, `POST /projects/:id/time_entries`, `POST /issues/:id/time_entries`

use super::{field, log, logged, show};
use axum::http::Method;
use quarry_world::{MANAGER, REPORTER, Response, World};
use serde_json::{Value, json};

#[test]
fn create_returns_the_time_entry() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let fields = json!({"issue_id": issue, "hours": 1.25, "comments": "ä <b>", "spent_on": "2024-02-29", "activity_id": 9});
    let response = log(&world, "bob", fields).assert_status(201);
    assert_eq!(response.location(), "http://quarry.test/time_entries/1");
    let entry = r#"{"id":1,"project":{"id":1,"name":"open"},"issue":{"id":1},"user":{"id":3,"name":"bob Tester"},"activity":{"id":9,"name":"Development"},"hours":1.25,"comments":"ä \u003cb\u003e","spent_on":"2024-02-29","created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(response.body, format!("{{\"time_entry\":{entry}}}"));
    assert_eq!(
        world
            .as_user("carol")
            .get("/time_entries/1.json")
            .assert_status(200)
            .body,
        response.body
    );
    let body = b"<time_entry><project_id>open</project_id><hours>3</hours><activity_id>8</activity_id></time_entry>".to_vec();
    let response = world
        .as_user("carol")
        .send(
            Method::POST,
            "/time_entries.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(201);
    let entry = "<time_entry><id>2</id><project id=\"1\" name=\"open\"/><user id=\"4\" name=\"carol Tester\"/><activity id=\"8\" name=\"Design\"/>\
                 <hours>3.0</hours><comments/><spent_on>2026-11-20</spent_on>";
    assert!(response.body.contains(entry), "{}", response.body);
    assert_eq!(response.location(), "http://quarry.test/time_entries/2");
}

fn post(world: &World, open: i64, login: &str, path: &str) -> Response {
    let body =
        json!({"time_entry": {"hours": 1, "activity_id": 8, "project_id": 2, "issue_id": open}});
    world.as_user(login).post(path, &body)
}

#[test]
fn path_determines_project_or_issue() {
    let world = World::with_projects();
    let open = world.issue("open").create();
    let secret = world.issue("secret").create();
    let entry = post(&world, open, "bob", "/issues/1/time_entries.json")
        .assert_status(201)
        .json_path("/time_entry");
    assert_eq!(
        (&entry["project"]["id"], &entry["issue"]["id"]),
        (&json!(1), &json!(open)),
        "project and issue of the body are ignored"
    );
    let entry = post(&world, open, "bob", "/projects/open/time_entries.json")
        .assert_status(201)
        .json_path("/time_entry");
    assert_eq!(
        (&entry["project"]["id"], &entry["issue"]["id"]),
        (&json!(1), &json!(open))
    );
    post(&world, open, "bob", "/projects/1/time_entries.xml").assert_status(201);
    post(&world, open, "alice", "/projects/2/time_entries.json")
        .assert_status(422)
        .assert_errors(&["Issue is invalid"]);
    post(&world, open, "bob", "/projects/secret/time_entries.json").assert_status(403);
    post(&world, open, "bob", "/projects/nowhere/time_entries.json").assert_status(404);
    post(
        &world,
        open,
        "bob",
        &format!("/issues/{secret}/time_entries.json"),
    )
    .assert_status(403);
    post(&world, open, "bob", "/issues/99/time_entries.json").assert_status(404);
    post(&world, open, "bob", "/issues/x/time_entries.json").assert_status(404);
    post(
        &world,
        open,
        "dave",
        &format!("/issues/{open}/time_entries.json"),
    )
    .assert_status(403);
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        world
            .as_user("alice")
            .send(
                method,
                &format!("/issues/{open}/time_entries.json"),
                None,
                Vec::new(),
            )
            .assert_status(404);
    }
}

#[test]
fn hours_are_accepted_in_every_notation() {
    let world = World::with_projects();
    let cases = [
        (json!(2), 2.0),
        (json!("2h30"), 2.5),
        (json!("1:30"), 1.5),
        (json!("90m"), 1.5),
        (json!("1,5"), 1.5),
        (json!("1h 30m"), 1.5),
        (json!("2 hours"), 2.0),
        (json!(0.005), 0.01),
        (json!("20m"), 0.33),
        (json!(24.1), 24.1),
    ];
    for (hours, shown) in cases {
        assert_eq!(
            logged(&world, "alice", json!({"project_id": 1, "hours": hours}))["hours"],
            shown,
            "{hours}"
        );
    }
    let issue = world.issue("open").create();
    for _ in 0..3 {
        logged(
            &world,
            "alice",
            json!({"issue_id": issue, "hours": "20m", "spent_on": "2024-01-01"}),
        );
    }
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["spent_hours"], 1.0, "sums use the exact hours");
}

#[test]
fn validation_errors_are_listed_in_order() {
    let world = World::with_projects();
    let open = world.issue("open").create();
    let secret = world.issue("secret").create();
    let long = "x".repeat(1025);
    let none = [
        "Activity cannot be blank",
        "Project cannot be blank",
        "Hours cannot be blank",
        "Project is invalid",
    ];
    let cases: [(Value, &[&str]); 23] = [
        (json!({"activity_id": ""}), &none),
        (
            json!({"hours": 1}),
            &["Project cannot be blank", "Project is invalid"],
        ),
        (json!({"project_id": 1}), &["Hours cannot be blank"]),
        (
            json!({"project_id": 1, "hours": ""}),
            &["Hours cannot be blank"],
        ),
        (
            json!({"project_id": 1, "hours": null}),
            &["Hours cannot be blank"],
        ),
        (json!({"project_id": 1, "hours": 0}), &["Hours is invalid"]),
        (
            json!({"project_id": 1, "hours": 0.001}),
            &["Hours is invalid"],
        ),
        (json!({"project_id": 1, "hours": -1}), &["Hours is invalid"]),
        (
            json!({"project_id": 1, "hours": "abc"}),
            &["Hours is invalid"],
        ),
        (
            json!({"project_id": 1, "hours": [1]}),
            &["Hours is invalid (one value is expected, not a list)"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "activity_id": 99}),
            &["Activity is not included in the list"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "activity_id": "abc"}),
            &["Activity is not included in the list"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "activity_id": 2}),
            &["Activity is not included in the list"],
        ),
        (
            json!({"project_id": 99, "hours": 1}),
            &["Project is invalid"],
        ),
        (
            json!({"project_id": "nowhere", "hours": 1}),
            &["Project is invalid"],
        ),
        (
            json!({"issue_id": 99, "hours": 1}),
            &[
                "Project cannot be blank",
                "Project is invalid",
                "Issue is invalid",
            ],
        ),
        (
            json!({"issue_id": "x", "project_id": 1, "hours": 1}),
            &["Issue is invalid"],
        ),
        (
            json!({"issue_id": open, "project_id": 2, "hours": 1}),
            &["Issue is invalid"],
        ),
        (
            json!({"issue_id": secret, "project_id": 1, "hours": 1}),
            &["Issue is invalid"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "spent_on": ""}),
            &["Date cannot be blank"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "spent_on": "2024-02-30"}),
            &["Date cannot be blank", "Date is not a valid date"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "spent_on": 20240230}),
            &["Date cannot be blank", "Date is not a valid date"],
        ),
        (
            json!({"project_id": 1, "hours": 1, "comments": long}),
            &["Comment is too long (maximum is 1024 characters)"],
        ),
    ];
    for (fields, sentences) in cases {
        assert_eq!(
            log(&world, "alice", fields.clone())
                .assert_status(422)
                .errors(),
            sentences,
            "{fields}"
        );
    }
    logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "comments": "ä".repeat(1024)}),
    );
    let alice = world.as_user("alice");
    for body in [
        "{}",
        "{\"time_entry\":{}}",
        "{\"time_entry\":null}",
        "[]",
        "",
    ] {
        assert_eq!(
            alice
                .post("/time_entries.json", body)
                .assert_status(422)
                .errors(),
            none,
            "{body}"
        );
    }
    for body in [
        "{bad",
        "{\"time_entry\":\"x\"}",
        "{\"time_entry\":[1]}",
        "\u{0}",
    ] {
        alice.post("/time_entries.json", body).assert_status(400);
    }
    alice
        .send(
            Method::POST,
            "/time_entries.xml",
            Some("application/xml"),
            b"<time_entry><hours>".to_vec(),
        )
        .assert_status(400);
    assert_eq!(
        super::ids(&world, "alice", ""),
        [1],
        "what was refused left no trace"
    );
}

#[test]
fn create_requires_permission_in_the_project() {
    let world = World::with_projects();
    let secret = world.issue("secret").create();
    let open = world.issue("open").create();
    let fields = json!({"project_id": 1, "hours": 1});
    world
        .anonymous()
        .post(
            "/time_entries.json",
            json!({"time_entry": {"project_id": 1, "hours": 1}}),
        )
        .assert_status(401);
    log(&world, "dave", fields.clone()).assert_status(403);
    log(&world, "dave", json!({"hours": 1})).assert_status(403);
    let errors = |login, body| log(&world, login, body).assert_status(422).errors();
    let hidden = errors("bob", json!({"project_id": "secret", "hours": 1}));
    let missing = errors("bob", json!({"project_id": "nowhere", "hours": 1}));
    assert_eq!(hidden, missing);
    let hidden = errors("bob", json!({"issue_id": secret, "hours": 1}));
    let missing = errors("bob", json!({"issue_id": 999, "hours": 1}));
    assert_eq!(hidden, missing);
    assert!(
        hidden.contains(&"Issue is invalid".to_owned()),
        "{hidden:?}"
    );
    logged(&world, "carol", fields.clone());
    world.project("own").member("dave", REPORTER).create();
    let elsewhere = errors("dave", json!({"issue_id": open, "hours": 1}));
    assert_eq!(elsewhere, missing, "he may log time, but not on this issue");
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    log(&world, "alice", fields.clone()).assert_status(403);
    log(&world, "admin", fields.clone()).assert_status(403);
    log(&world, "admin", json!({"issue_id": open, "hours": 1}))
        .assert_status(422)
        .assert_errors(&[
            "Project cannot be blank",
            "Project is invalid",
            "Issue is invalid",
        ]);
    log(
        &world,
        "admin",
        json!({"issue_id": open, "project_id": 1, "hours": 1}),
    )
    .assert_status(403);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    log(&world, "admin", fields.clone()).assert_status(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'time_tracking'");
    log(&world, "admin", fields.clone()).assert_status(403);
}

#[test]
fn read_only_fields_are_ignored() {
    let world = World::with_projects();
    let fields = json!({"project_id": 1, "hours": 1, "id": 77, "author_id": 1, "created_on": "2001-01-01", "updated_on": "2001-01-01", "tyear": 3});
    let entry = logged(&world, "bob", fields);
    assert_eq!(
        (&entry["id"], &entry["created_on"]),
        (&json!(1), &json!("2026-11-20T12:00:00Z"))
    );
    assert_eq!(super::ids(&world, "alice", "author_id=3"), [1]);
}

fn field_values(entry: &Value) -> Vec<Value> {
    entry["custom_fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["value"].clone())
        .collect::<Vec<_>>()
}

#[test]
fn custom_fields_are_stored_and_validated() {
    let world = World::with_projects();
    field(&world, 1, "Billable", "bool", "default_value = '1'");
    field(
        &world,
        2,
        "Kind",
        "list",
        "possible_values_json = '[\"a\",\"b\"]', multiple = 1",
    );
    field(&world, 3, "Hushed", "string", "visible = 0");
    field(&world, 4, "Fixed", "string", "editable = 0");
    world.sql(&format!(
        "INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (3, {MANAGER})"
    ));
    let custom = json!([
        {"id": 2, "value": ["a", "b"]},
        {"id": 3, "value": "psst"},
        {"id": 4, "value": "no"},
        {"id": 99, "value": "no"},
    ]);
    let entry = logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "custom_fields": custom}),
    );
    assert_eq!(
        field_values(&entry),
        [json!("1"), json!(["a", "b"]), json!("psst"), json!(null)]
    );
    let seen = world
        .as_user("carol")
        .get("/time_entries/1.json")
        .assert_status(200);
    assert!(!seen.body.contains("psst") && !seen.body.contains("Hushed"));
    let entry = logged(
        &world,
        "bob",
        json!({"project_id": 1, "hours": 1, "custom_fields": custom}),
    );
    assert_eq!(
        field_values(&entry),
        [json!("1"), json!(["a", "b"]), json!(null)]
    );
    assert_eq!(
        field_values(&show(&world, 2))[2],
        json!(null),
        "what one may not see one cannot set"
    );
    let wrong = log(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "custom_field_values": {"2": "c"}}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(wrong, ["Kind is not included in the list"]);
    world.sql("UPDATE custom_fields SET is_required = 1 WHERE id = 2");
    log(&world, "alice", json!({"project_id": 1, "hours": 1}))
        .assert_status(422)
        .assert_errors(&["Kind cannot be blank"]);
    let xml = world
        .as_user("bob")
        .get("/time_entries/1.xml")
        .assert_status(200)
        .body;
    let kind = "<custom_field id=\"2\" name=\"Kind\" multiple=\"true\"><value type=\"array\"><value>a</value><value>b</value></value></custom_field>";
    assert!(xml.contains(kind), "{xml}");
}

#[test]
fn user_without_memberships_cannot_log_time() {
    let world = World::new();
    log(&world, "dave", json!({"hours": 1})).assert_status(403);
    assert_eq!(
        log(&world, "admin", json!({"hours": 1}))
            .assert_status(422)
            .errors()[0],
        "Project cannot be blank"
    );
}
