//! `POST /issues`, `POST /projects/:id/issues` (compatibility 6.4)

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::ProjectId;
use quarry::store::accounts::memberships;
use quarry_world::{Client, DEVELOPER, MANAGER, Response, World, insert_group, user};
use serde_json::{Map, Value, json};

#[test]
fn create_returns_issue_and_location() {
    let world = World::with_projects();
    let body = json!({"issue": {
        "project_id": "open",
        "subject": "Leak in the tank",
        "description": "one\ntwo",
        "priority_id": 4,
        "assigned_to_id": "3",
    }});
    let answer = world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(201);
    assert_eq!(answer.location(), "http://quarry.test/issues/1");
    let issue = answer.json_path("/issue");
    let names: Vec<&String> = issue.as_object().unwrap().keys().collect();
    let expected = [
        "id",
        "project",
        "tracker",
        "status",
        "priority",
        "author",
        "assigned_to",
        "subject",
        "description",
        "start_date",
        "due_date",
        "done_ratio",
        "is_private",
        "estimated_hours",
        "total_estimated_hours",
        "created_on",
        "updated_on",
        "closed_on",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        issue["status"],
        json!({"id": 1, "name": "New", "is_closed": false})
    );
    assert_eq!(issue["assigned_to"], json!({"id": 3, "name": "bob Tester"}));
    assert_eq!(issue["description"], "one\r\ntwo");
    assert_eq!(issue["start_date"], "2026-11-20");
}

#[test]
fn create_accepts_forms_and_xml() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let form = b"issue[project_id]=open&issue[subject]=From+a+form".to_vec();
    let answer = alice
        .send(
            Method::POST,
            "/issues.json",
            Some("application/x-www-form-urlencoded"),
            form,
        )
        .assert_status(201);
    assert_eq!(answer.json()["issue"]["subject"], "From a form");
    let xml =
        b"<issue><project_id>open</project_id><subject>From &lt;XML&gt;</subject></issue>".to_vec();
    let answer = alice
        .send(Method::POST, "/issues.xml", Some("application/xml"), xml)
        .assert_status(201);
    assert!(
        answer.body.contains("<subject>From &lt;XML&gt;</subject>"),
        "{}",
        answer.body
    );
}

fn errors(alice: &Client<'_>, fields: Value) -> Vec<String> {
    alice
        .post("/issues.json", json!({"issue": fields}))
        .assert_status(422)
        .errors()
}

#[test]
fn missing_values_are_reported() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let nowhere = [
        "Project cannot be blank",
        "Tracker cannot be blank",
        "Status cannot be blank",
    ];
    assert_eq!(errors(&alice, json!({"subject": "x"})), nowhere);
    assert_eq!(
        errors(&alice, json!({"project_id": "missing", "subject": "x"})),
        nowhere
    );
    assert_eq!(
        errors(&alice, json!({"project_id": "open"})),
        ["Subject cannot be blank"]
    );
    assert_eq!(
        errors(
            &alice,
            json!({"project_id": "open", "subject": "  ", "priority_id": 99})
        ),
        ["Subject cannot be blank", "Priority cannot be blank"]
    );
    assert_eq!(
        errors(
            &alice,
            json!({"project_id": "open", "subject": "x", "assigned_to_id": 5})
        ),
        ["Assignee is invalid"]
    );
    assert_eq!(
        errors(&alice, json!({"project_id": "open", "subject": {"a": 1}})).len(),
        1
    );
    assert_eq!(
        errors(
            &alice,
            json!({"project_id": "open", "subject": "x".repeat(256)})
        ),
        ["Subject is too long (maximum is 255 characters)"]
    );
    alice
        .get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn fields_without_permission_keep_their_defaults() {
    let world = World::with_projects();
    let body = json!({"issue": {
        "project_id": "open",
        "subject": "x",
        "status_id": 5,
        "is_private": true,
        "author_id": 1,
        "id": 77,
        "tracker_id": 99,
    }});
    let issue = world
        .as_user("carol")
        .post("/issues.json", &body)
        .assert_status(201)
        .json_path("/issue");
    assert_eq!(issue["id"], 1);
    assert_eq!(issue["status"]["id"], 1);
    assert_eq!(issue["tracker"]["id"], 1);
    assert_eq!(issue["is_private"], false);
    assert_eq!(issue["author"]["id"], 4);
}

#[test]
fn create_requires_permission() {
    let world = World::with_projects();
    assert_eq!(world.issue("open").author("dave").create(), 1);
    let body = json!({"issue": {"project_id": "secret", "subject": "x"}});
    world
        .as_user("dave")
        .post("/issues.json", &body)
        .assert_status(422);
    world
        .as_user("dave")
        .post("/projects/secret/issues.json", &body)
        .assert_status(403);
    world
        .as_user("dave")
        .post("/projects/missing/issues.xml", &body)
        .assert_status(404);
    world
        .anonymous()
        .post("/issues.json", &body)
        .assert_status(401);
    let created = world
        .as_user("alice")
        .post(
            "/projects/secret/issues.json",
            json!({"issue": {"subject": "x"}}),
        )
        .assert_status(201)
        .json();
    assert_eq!(created["issue"]["project"]["name"], "secret");
    assert_eq!(created["issue"]["spent_hours"], 0.0);
}

/// Carol's group is a member of the parent project, and so of the child that inherits members.
#[test]
fn group_with_inherited_membership_can_be_assigned() {
    let world = World::with_projects();
    let below = world.project("below").member("alice", MANAGER).create();
    let now = world.app.clock.now();
    let group = world.write(move |db| {
        let group = insert_group(db, "Quality", &[user("carol")], now)?;
        memberships::insert(db, ProjectId(1), group, &[DEVELOPER], now)?;
        Ok(group)
    });
    let body = json!({"issue": {"project_id": "below", "subject": "x", "assigned_to_id": group.0}});
    world.set(Setting::IssueGroupAssignment, "1");
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&["Assignee is invalid"]);
    world.sql(&format!(
        "UPDATE projects SET parent_id = 1, inherit_members = 1 WHERE id = {below}"
    ));
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(201)
        .assert_json_path("/issue/assigned_to/id", group.0);
    world.set(Setting::IssueGroupAssignment, "0");
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&["Assignee is invalid"]);
}

fn post_with_field(world: &World, field: &str, value: &Value) -> Response {
    let body = json!({"issue": {"project_id": "open", "subject": "x", field: value}});
    world.as_user("alice").post("/issues.json", body)
}

#[test]
fn custom_fields_of_the_wrong_shape_are_rejected() {
    let world = World::with_projects();
    let list =
        "Custom fields is invalid (a list of at most 1000 objects with id and value is expected)";
    for value in [
        json!("x"),
        json!(7),
        json!(true),
        json!(vec![json!({"id": 1, "value": "a"}); 1001]),
    ] {
        post_with_field(&world, "custom_fields", &value)
            .assert_status(422)
            .assert_errors(&[list]);
    }
    let item = "Custom fields is invalid (each must be an object with id and value)";
    for value in [json!(["x"]), json!([null]), json!([{"value": "a"}])] {
        post_with_field(&world, "custom_fields", &value)
            .assert_status(422)
            .assert_errors(&[item]);
    }
    let map = "Custom field values is invalid (an object with the values of at most 1000 fields is expected)";
    let entries: Map<String, Value> = (1..=1001).map(|id| (id.to_string(), json!("a"))).collect();
    for value in [json!("x"), json!([1]), json!(entries)] {
        post_with_field(&world, "custom_field_values", &value)
            .assert_status(422)
            .assert_errors(&[map]);
    }
    // Empty values set nothing, and values of unknown fields are ignored.
    for value in [
        json!(null),
        json!([]),
        json!(""),
        json!({"0": {"id": 1, "value": "a"}}),
    ] {
        post_with_field(&world, "custom_fields", &value).assert_status(201);
    }
    for value in [json!(null), json!({}), json!({"999": "a"})] {
        post_with_field(&world, "custom_field_values", &value).assert_status(201);
    }
    post_with_field(
        &world,
        "custom_fields",
        &json!(vec![json!({"id": 999, "value": "a"}); 1000]),
    )
    .assert_status(201);
    let form = b"issue[project_id]=open&issue[subject]=x&issue[custom_fields]=x".to_vec();
    let response = world.as_user("alice").send(
        Method::POST,
        "/issues.xml",
        Some("application/x-www-form-urlencoded"),
        form,
    );
    response.assert_status(422).assert_errors(&[list]);
}

fn create_private(world: &World, value: &Value) -> Value {
    let body = json!({"issue": {"project_id": "open", "subject": "x", "is_private": value}});
    world
        .as_user("alice")
        .post("/issues.json", body)
        .assert_status(201)
        .json_path("/issue/is_private")
}

#[test]
fn is_private_accepts_booleans_in_several_notations() {
    let world = World::with_projects();
    for value in [json!(false), json!(0), json!(null)] {
        assert_eq!(create_private(&world, &value), false, "{value}");
    }
    for value in ["", "0", "f", "F", "false", "FALSE", "off", "OFF", "no", "n"] {
        assert_eq!(create_private(&world, &json!(value)), false, "{value}");
    }
    for value in [json!(true), json!(1)] {
        assert_eq!(create_private(&world, &value), true, "{value}");
    }
    for value in ["1", "t", "true", "on", "yes", "x"] {
        assert_eq!(create_private(&world, &json!(value)), true, "{value}");
    }
}
