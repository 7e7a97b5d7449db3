//! `/projects/:id/issue_categories`, `/issue_categories/:id` (compatibility 6.8)

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    let path = format!("/projects/{project}/issue_categories.json");
    world
        .as_user(login)
        .post(&path, json!({"issue_category": fields}))
}

#[test]
fn category_can_be_created_listed_updated_and_deleted() {
    let world = World::with_projects();
    let response = create(
        &world,
        "alice",
        "open",
        json!({"name": "Hull", "assigned_to_id": 3}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "/issue_categories/1");
    let hull = r#"{"id":1,"project":{"id":1,"name":"open"},"name":"Hull","assigned_to":{"id":3,"name":"bob Tester"}}"#;
    assert_eq!(response.body, format!("{{\"issue_category\":{hull}}}"));
    create(
        &world,
        "alice",
        "open",
        json!({"name": "Engine", "assigned_to_id": 6}),
    )
    .assert_status(201);
    let list = world
        .as_user("alice")
        .get("/projects/1/issue_categories.json")
        .assert_status(200)
        .body;
    let engine = r#"{"id":2,"project":{"id":1,"name":"open"},"name":"Engine"}"#;
    assert_eq!(
        list,
        format!("{{\"issue_categories\":[{engine},{hull}],\"total_count\":2}}"),
        "erin is locked"
    );
    let xml = world
        .as_user("alice")
        .get("/projects/open/issue_categories.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains(
            "<issue_categories total_count=\"2\" type=\"array\"><issue_category><id>2</id>"
        ),
        "{xml}"
    );
    let body =
        b"<issue_category><name>Bow</name><assigned_to_id></assigned_to_id></issue_category>"
            .to_vec();
    let changed = world
        .as_user("alice")
        .send(
            Method::PUT,
            "/issue_categories/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    let bow = "<issue_category><id>1</id><project id=\"1\" name=\"open\"/><name>Bow</name></issue_category>";
    assert!(changed.ends_with(bow), "{changed}");
    assert_eq!(
        world
            .as_user("alice")
            .get("/issue_categories/1.xml")
            .assert_status(200)
            .body,
        changed
    );
    assert_eq!(
        world
            .as_user("alice")
            .delete("/issue_categories/1.json")
            .assert_status(204)
            .body,
        ""
    );
    world
        .as_user("alice")
        .delete("/issue_categories/1.json")
        .assert_status(404);
}

fn add_with_assignee(world: &World, login: &str, project: &str, name: &str, id: i64) -> Value {
    create(
        world,
        login,
        project,
        json!({"name": name, "assigned_to_id": id}),
    )
    .assert_status(201)
    .json_path("/issue_category")["assigned_to"]["id"]
        .clone()
}

#[test]
fn default_assignee_need_not_be_a_member_yet() {
    let world = World::with_projects();
    assert_eq!(add_with_assignee(&world, "admin", "open", "One", 5), 5);
    assert_eq!(add_with_assignee(&world, "alice", "open", "Two", 5), 5);
    assert_eq!(
        add_with_assignee(&world, "alice", "open", "Three", 6),
        Value::Null,
        "locked"
    );
    assert_eq!(
        add_with_assignee(&world, "alice", "open", "Four", 99),
        Value::Null
    );
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    assert_eq!(
        add_with_assignee(&world, "alice", "open", "Five", 5),
        Value::Null,
        "a user whom she cannot see is not named"
    );
    assert_eq!(
        add_with_assignee(&world, "alice", "secret", "Six", 3),
        3,
        "a member of another project"
    );
    let put = world.as_user("admin").put(
        "/issue_categories/3.json",
        json!({"issue_category": {"assigned_to_id": 5}}),
    );
    assert_eq!(
        put.assert_status(200)
            .json_path("/issue_category/assigned_to/id"),
        5
    );
}

fn category_of(world: &World, id: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json()["issue"]["category"]["id"]
        .clone()
}

#[test]
fn deleting_a_category_reassigns_or_clears_its_issues() {
    let world = World::with_projects();
    for (project, name) in [
        ("open", "One"),
        ("open", "Two"),
        ("open", "Three"),
        ("secret", "Far"),
    ] {
        create(&world, "alice", project, json!({"name": name})).assert_status(201);
    }
    let id = world.issue("open").field("category_id", 1).create();
    assert_eq!(category_of(&world, id), 1);
    world
        .as_user("alice")
        .delete("/issue_categories/1.json?reassign_to_id=2")
        .assert_status(204);
    assert_eq!(category_of(&world, id), 2);
    assert_eq!(
        world.count_hits("alice", "category:Two"),
        1,
        "the next search finds the issue in its new category"
    );
    world
        .as_user("alice")
        .delete("/issue_categories/2.json?reassign_to_id=4")
        .assert_status(204);
    assert!(
        category_of(&world, id).is_null(),
        "issues are not reassigned to a category of another project"
    );
    assert_eq!(world.count_hits("alice", "category:none"), 1);
}

fn update(world: &World, body: &str) -> Response {
    world.as_user("alice").put("/issue_categories/3.json", body)
}

#[test]
fn validation_errors_are_reported() {
    let world = World::with_projects();
    let long = "x".repeat(61);
    create(&world, "alice", "open", json!({"name": "Hull"})).assert_status(201);
    create(&world, "alice", "secret", json!({"name": "Hull"})).assert_status(201);
    let too_long = json!({"name": long});
    let cases = [
        (json!({}), "Name cannot be blank"),
        (json!({"name": " "}), "Name cannot be blank"),
        (json!({"name": "Hull"}), "Name has already been taken"),
        (too_long, "Name is too long (maximum is 60 characters)"),
        (
            json!({"name": {}}),
            "Name is invalid (one value is expected, not an object)",
        ),
    ];
    for (fields, sentence) in cases {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&[sentence]);
    }
    create(&world, "alice", "open", json!({"name": "Bow"})).assert_status(201);
    update(&world, r#"{"issue_category":{"name":"Hull"}}"#)
        .assert_status(422)
        .assert_errors(&["Name has already been taken"]);
    update(&world, "{}")
        .assert_status(200)
        .assert_json_path("/issue_category/name", "Bow");
    update(&world, r#"{"issue_category":{"project_id":2}}"#)
        .assert_status(200)
        .assert_json_path("/issue_category/project/id", 1);
    update(&world, "{").assert_status(400);
    update(&world, "{\"issue_category\":1}").assert_status(400);
}

#[test]
fn categories_require_permission() {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        create(&world, "alice", project, json!({"name": "Hull"})).assert_status(201);
    }
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'manage_categories'");
    for login in ["bob", "carol", "dave"] {
        for path in [
            "/projects/open/issue_categories.json",
            "/projects/secret/issue_categories.xml",
            "/issue_categories/1.json",
        ] {
            world.as_user(login).get(path).assert_status(403);
        }
        create(&world, login, "open", json!({"name": "Mine"})).assert_status(403);
        world
            .as_user(login)
            .put("/issue_categories/2.json", json!({}))
            .assert_status(403);
        world
            .as_user(login)
            .delete("/issue_categories/2.json")
            .assert_status(403);
    }
    world
        .anonymous()
        .get("/projects/open/issue_categories.json")
        .assert_status(401);
    world
        .anonymous()
        .delete("/issue_categories/1.json")
        .assert_status(401);
    for path in [
        "/projects/none/issue_categories.json",
        "/issue_categories/9.json",
        "/issue_categories/x.json",
    ] {
        world.as_user("alice").get(path).assert_status(404);
    }
}
