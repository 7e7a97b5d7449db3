//! `/projects/:id/boards`, `/boards/:id` (compatibility 13.2)

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/boards.json"),
        json!({"board": fields}),
    )
}

#[test]
fn board_can_be_created_listed_updated_and_deleted() {
    let world = World::with_projects();
    let response = create(
        &world,
        "alice",
        "open",
        json!({"name": "General", "description": "All else"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "http://quarry.test/boards/1");
    let general = r#"{"id":1,"project":{"id":1,"name":"open"},"name":"General","description":"All else","topics_count":0,"messages_count":0}"#;
    assert_eq!(response.body, format!("{{\"board\":{general}}}"));
    create(
        &world,
        "alice",
        "1",
        json!({"name": "Below", "parent_id": 1}),
    )
    .assert_status(201);
    let topic = json!({"message": {"subject": "Hello", "content": "there"}});
    world
        .as_user("dave")
        .post("/boards/2/topics.json", topic)
        .assert_status(201);
    world
        .as_user("dave")
        .post(
            "/messages/1/replies.json",
            json!({"message": {"content": "and back"}}),
        )
        .assert_status(201);
    let below = r#"{"id":2,"project":{"id":1,"name":"open"},"parent":{"id":1,"name":"General"},"name":"Below","description":"","topics_count":1,"messages_count":2}"#;
    let list = world
        .as_user("dave")
        .get("/projects/open/boards.json")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"boards\":[{general},{below}],\"total_count\":2,\"offset\":0,\"limit\":25}}")
    );
    let page = world
        .as_user("dave")
        .get("/projects/open/boards.json?offset=1&limit=1")
        .assert_status(200);
    assert_eq!(
        page.array("/boards")[0]["parent"]["name"],
        "General",
        "of a board on another page"
    );
    let past = world
        .as_user("dave")
        .get("/projects/open/boards.json?offset=2")
        .assert_status(200);
    assert_eq!(
        (past.array("/boards").len(), past.integer("/total_count")),
        (0, 2)
    );
    let xml = world
        .as_user("dave")
        .get("/boards/2.xml")
        .assert_status(200);
    xml.assert_contains("<board><id>2</id><project id=\"1\" name=\"open\"/><parent id=\"1\" name=\"General\"/><name>Below</name>");
    let body = b"<board><name>Moved</name><parent_id/></board>".to_vec();
    let changed = world
        .as_user("alice")
        .send(Method::PUT, "/boards/2.xml", Some("application/xml"), body)
        .assert_status(200);
    changed.assert_contains("<project id=\"1\" name=\"open\"/><name>Moved</name>");
}

#[test]
fn deleting_a_board_deletes_its_messages_and_keeps_the_boards_below() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "General"})).assert_status(201);
    create(
        &world,
        "alice",
        "open",
        json!({"name": "Below", "parent_id": 1}),
    )
    .assert_status(201);
    for board in [1, 2] {
        let topic = json!({"message": {"subject": "Zeppelin", "content": "there"}});
        world
            .as_user("dave")
            .post(&format!("/boards/{board}/topics.json"), topic)
            .assert_status(201);
    }
    world
        .as_user("dave")
        .post(
            "/messages/1/replies.json",
            json!({"message": {"content": "zeppelin"}}),
        )
        .assert_status(201);
    // As an import leaves them.
    world.sql("UPDATE boards SET last_message_id = 3 WHERE id = 1; UPDATE messages SET last_reply_id = 3 WHERE id = 1");
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=zeppelin"),
        3
    );
    assert_eq!(
        world
            .as_user("alice")
            .delete("/boards/1.json")
            .assert_status(200)
            .body,
        ""
    );
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=zeppelin"),
        1
    );
    for path in [
        "/boards/1.json",
        "/boards/1/topics.json",
        "/messages/1.json",
        "/messages/3.json",
    ] {
        world.as_user("alice").get(path).assert_status(404);
    }
    assert!(
        world
            .as_user("dave")
            .get("/boards/2.json")
            .assert_status(200)
            .json()["board"]
            .get("parent")
            .is_none()
    );
}

#[test]
fn parent_in_another_project_is_not_shown() {
    let world = World::with_projects();
    create(&world, "alice", "secret", json!({"name": "Hidden"})).assert_status(201);
    create(&world, "alice", "open", json!({"name": "General"})).assert_status(201);
    // As an import of inconsistent boards leaves them.
    world.sql("UPDATE boards SET parent_id = 1 WHERE id = 2");
    let board = world
        .as_user("dave")
        .get("/boards/2.json")
        .assert_status(200);
    assert!(
        board.json()["board"].get("parent").is_none(),
        "{}",
        board.body
    );
}

#[test]
fn validation_errors_name_the_attribute() {
    let world = World::with_projects();
    for (project, name, parent) in [
        ("open", "One", json!(null)),
        ("open", "Two", json!(1)),
        ("open", "Three", json!(2)),
        ("secret", "Far", json!("")),
    ] {
        create(
            &world,
            "alice",
            project,
            json!({"name": name, "parent_id": parent}),
        )
        .assert_status(201);
    }
    let long = "x".repeat(31);
    let longer = "x".repeat(256);
    let foreign = "Parent board is invalid (this project has no such board)";
    for (fields, error) in [
        (json!({}), "Name cannot be blank"),
        (json!({"name": " "}), "Name cannot be blank"),
        (
            json!({"name": long}),
            "Name is too long (maximum is 30 characters)",
        ),
        (
            json!({"name": "x", "description": longer}),
            "Description is too long (maximum is 255 characters)",
        ),
        (json!({"name": "x", "parent_id": 4}), foreign),
        (json!({"name": "x", "parent_id": 99}), foreign),
        (json!({"name": "x", "parent_id": "y"}), foreign),
        (
            json!({"name": {}}),
            "Name is invalid (one value is expected, not an object)",
        ),
    ] {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    for parent in [1, 2, 3] {
        let put = world
            .as_user("alice")
            .put("/boards/1.json", json!({"board": {"parent_id": parent}}))
            .assert_status(422);
        put.assert_errors(&["Parent board is invalid (a board cannot stand below itself)"]);
    }
    world
        .as_user("alice")
        .put("/boards/1.json", "{")
        .assert_status(400);
    world
        .as_user("alice")
        .put("/boards/1.json", json!({"board": []}))
        .assert_status(400);
    world
        .as_user("alice")
        .get("/projects/open/boards.json")
        .assert_status(200)
        .assert_json_path("/total_count", 3);
}

#[test]
fn boards_require_permission() {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        create(&world, "alice", project, json!({"name": "General"})).assert_status(201);
    }
    let change = json!({"board": {"name": "Mine"}});
    for login in ["bob", "carol", "dave"] {
        create(&world, login, "open", json!({"name": "Mine"})).assert_status(403);
        world
            .as_user(login)
            .put("/boards/1.json", &change)
            .assert_status(403);
        world
            .as_user(login)
            .delete("/boards/1.json")
            .assert_status(403);
        for path in [
            "/boards/2.json",
            "/boards/9.json",
            "/boards/2/topics.json",
            "/projects/secret/boards.json",
            "/projects/none/boards.xml",
        ] {
            world.as_user(login).get(path).assert_status(404);
        }
        world
            .as_user(login)
            .put("/boards/2.json", &change)
            .assert_status(404);
        world
            .as_user(login)
            .delete("/boards/2.json")
            .assert_status(404);
        create(&world, login, "secret", json!({"name": "Mine"})).assert_status(404);
    }
    for path in [
        "/boards/1.json",
        "/boards/9.xml",
        "/boards/1/topics.json",
        "/projects/open/boards.json",
    ] {
        world.anonymous().get(path).assert_status(401);
    }
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'boards'");
    world
        .as_user("alice")
        .get("/boards/1.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/projects/open/boards.json")
        .assert_status(403);
}
