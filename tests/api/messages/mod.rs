//! `/boards/:id/topics`, `/messages/:id`, `/messages/:id/replies` (compatibility 13.2)

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// A world with the boards 1 and 2 in the open project and 3 in the secret one.
fn world() -> World {
    let world = World::with_projects();
    for (project, name) in [("open", "General"), ("open", "Other"), ("secret", "Hidden")] {
        world
            .as_user("alice")
            .post(
                &format!("/projects/{project}/boards.json"),
                json!({"board": {"name": name}}),
            )
            .assert_status(201);
    }
    world
}

fn post(world: &World, login: &str, path: &str, fields: Value) -> Response {
    world.as_user(login).post(path, json!({"message": fields}))
}

fn update(world: &World, login: &str, id: i64, fields: Value) -> Response {
    world
        .as_user(login)
        .put(&format!("/messages/{id}.json"), json!({"message": fields}))
}

fn topic(world: &World, login: &str, board: i64, subject: &str) -> i64 {
    let fields = json!({"subject": subject, "content": format!("about {subject}")});
    post(
        world,
        login,
        &format!("/boards/{board}/topics.json"),
        fields,
    )
    .assert_status(201)
    .integer("/message/id")
}

fn reply(world: &World, login: &str, topic: i64, content: &str) -> i64 {
    post(
        world,
        login,
        &format!("/messages/{topic}/replies.json"),
        json!({"content": content}),
    )
    .assert_status(201)
    .integer("/message/id")
}

#[test]
fn topic_is_shown_with_a_page_of_its_replies() {
    let world = world();
    let id = topic(&world, "carol", 1, "Zeppelins");
    let first = post(
        &world,
        "dave",
        "/messages/1/replies.json",
        json!({"subject": "No", "content": "too slow"}),
    )
    .assert_status(201);
    assert_eq!(first.location(), "http://quarry.test/messages/2");
    let first = r#"{"id":2,"project":{"id":1,"name":"open"},"board":{"id":1,"name":"General"},"parent":{"id":1},"author":{"id":5,"name":"dave Tester"},"subject":"No","content":"too slow","created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(
        world
            .as_user("carol")
            .get("/messages/2.json")
            .assert_status(200)
            .body,
        format!("{{\"message\":{first}}}")
    );
    assert_eq!(reply(&world, "bob", 2, "so what"), 3);
    let second = world
        .as_user("dave")
        .get("/messages/3.json")
        .assert_status(200);
    assert_eq!(
        second.json_path("/message/parent/id"),
        id,
        "a reply to a reply belongs to the topic"
    );
    assert_eq!(second.json_path("/message/subject"), "RE: Zeppelins");
    let head = r#"{"id":1,"project":{"id":1,"name":"open"},"board":{"id":1,"name":"General"},"author":{"id":4,"name":"carol Tester"},"subject":"Zeppelins""#;
    let tail = r#""sticky":false,"locked":false,"replies_count":2,"created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z""#;
    let shown = world
        .as_user("dave")
        .get("/messages/1.json?limit=1")
        .assert_status(200)
        .body;
    assert_eq!(
        shown,
        format!(
            "{{\"message\":{head},\"content\":\"about Zeppelins\",{tail},\"offset\":0,\"limit\":1,\"replies\":[{first}]}}}}"
        )
    );
    let rest = world
        .as_user("dave")
        .get("/messages/1.json?offset=1")
        .assert_status(200);
    assert_eq!(rest.json_path("/message/replies/0/id"), 3);
    let past = world
        .as_user("dave")
        .get("/messages/1.json?offset=2")
        .assert_status(200);
    assert_eq!(
        (
            past.array("/message/replies").len(),
            past.integer("/message/replies_count")
        ),
        (0, 2)
    );
    let list = world
        .as_user("dave")
        .get("/boards/1/topics.json")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"topics\":[{head},{tail}}}],\"total_count\":1,\"offset\":0,\"limit\":25}}")
    );
    let xml = world
        .as_user("dave")
        .get("/messages/1.xml")
        .assert_status(200);
    xml.assert_contains("<replies type=\"array\"><reply><id>2</id>")
        .assert_contains("<parent id=\"1\"/>");
    world
        .as_user("dave")
        .get("/boards/1/topics.xml")
        .assert_status(200)
        .assert_contains("type=\"array\"><topic><id>1</id>");
}

#[test]
fn what_is_posted_is_found_by_the_next_search() {
    let world = world();
    let id = topic(&world, "carol", 1, "Zeppelins");
    let answer = reply(&world, "carol", id, "dirigible");
    assert_eq!(
        (
            world.count_hits("dave", "zeppelins"),
            world.count_hits("dave", "dirigible")
        ),
        (2, 1)
    );
    update(&world, "carol", answer, json!({"content": "balloon"}))
        .assert_status(200)
        .assert_json_path("/message/content", "balloon");
    assert_eq!(
        (
            world.count_hits("dave", "balloon"),
            world.count_hits("dave", "dirigible")
        ),
        (1, 0)
    );
    let body = b"<message><subject>Airships</subject></message>".to_vec();
    let changed = world
        .as_user("carol")
        .send(
            Method::PUT,
            "/messages/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200);
    changed.assert_contains("<subject>Airships</subject><content>about Zeppelins</content>");
    assert_eq!(world.count_hits("dave", "airships"), 1);
    world
        .as_user("alice")
        .delete(&format!("/messages/{answer}.json"))
        .assert_status(200);
    assert_eq!(world.count_hits("dave", "balloon"), 0);
    world
        .as_user("dave")
        .get(&format!("/messages/{id}.json"))
        .assert_status(200)
        .assert_json_path("/message/replies_count", 0);
    reply(&world, "dave", id, "cloudburst");
    world
        .as_user("alice")
        .delete(&format!("/messages/{id}.json"))
        .assert_status(200);
    assert_eq!(
        (
            world.count_hits("dave", "airships"),
            world.count_hits("dave", "cloudburst")
        ),
        (0, 0),
        "the replies go with the topic"
    );
    world
        .as_user("alice")
        .delete(&format!("/messages/{id}.json"))
        .assert_status(404);
}

fn topic_ids(world: &World) -> Vec<Value> {
    let topics = world
        .as_user("dave")
        .get("/boards/1/topics.json")
        .assert_status(200)
        .array("/topics");
    topics.iter().map(|topic| topic["id"].clone()).collect()
}

#[test]
fn sticky_topics_stand_first_and_locked_ones_take_no_reply() {
    let world = world();
    let first = topic(&world, "carol", 1, "First");
    let second = topic(&world, "carol", 1, "Second");
    assert_eq!(topic_ids(&world), [second, first]);
    // Without edit_messages they are ignored.
    let own = update(
        &world,
        "carol",
        first,
        json!({"sticky": true, "locked": true, "board_id": 2, "subject": "Mine"}),
    )
    .assert_status(200);
    let own = own
        .assert_json_path("/message/sticky", false)
        .assert_json_path("/message/locked", false);
    own.assert_json_path("/message/board/id", 1)
        .assert_json_path("/message/subject", "Mine");
    let set = update(
        &world,
        "alice",
        first,
        json!({"sticky": true, "locked": true}),
    )
    .assert_status(200);
    set.assert_json_path("/message/sticky", true)
        .assert_json_path("/message/locked", true);
    assert_eq!(topic_ids(&world), [first, second]);
    for login in ["alice", "dave"] {
        let refused = post(
            &world,
            login,
            &format!("/messages/{first}/replies.json"),
            json!({"content": "late"}),
        )
        .assert_status(422);
        refused.assert_errors(&["Topic is locked"]);
    }
    update(&world, "alice", first, json!({"locked": false})).assert_status(200);
    let answer = reply(&world, "dave", first, "in time");
    // A reply is neither sticky nor locked, nor on another board than its topic.
    update(
        &world,
        "alice",
        answer,
        json!({"sticky": true, "locked": true, "board_id": 2}),
    )
    .assert_status(200);
    reply(&world, "dave", answer, "still open");
    world
        .as_user("dave")
        .get(&format!("/messages/{answer}.json"))
        .assert_status(200)
        .assert_json_path("/message/board/id", 1);
    update(&world, "alice", first, json!({"board_id": 2}))
        .assert_status(200)
        .assert_json_path("/message/board/id", 2);
    world
        .as_user("dave")
        .get(&format!("/messages/{answer}.json"))
        .assert_status(200)
        .assert_json_path("/message/board/id", 2);
    let error = "Board is invalid (this project has no such board)";
    for board in [json!(3), json!(99), json!("x")] {
        update(&world, "alice", first, json!({"board_id": board}))
            .assert_status(422)
            .assert_errors(&[error]);
    }
    let new = json!({"subject": "Rules", "content": "Read them", "sticky": 1, "locked": 1});
    let new = post(&world, "alice", "/boards/1/topics.json", new).assert_status(201);
    new.assert_json_path("/message/sticky", true)
        .assert_json_path("/message/locked", true);
}

#[test]
fn validation_errors_name_the_attribute_and_change_nothing() {
    let world = world();
    let id = topic(&world, "carol", 1, "First");
    let long = "x".repeat(256);
    for (fields, errors) in [
        (
            json!({}),
            vec!["Subject cannot be blank", "Content cannot be blank"],
        ),
        (
            json!({"subject": " ", "content": "x"}),
            vec!["Subject cannot be blank"],
        ),
        (
            json!({"subject": long, "content": "x"}),
            vec!["Subject is too long (maximum is 255 characters)"],
        ),
        (
            json!({"subject": "x", "content": {}}),
            vec!["Content is invalid (one value is expected, not an object)"],
        ),
        (
            json!({"subject": "x", "content": "x", "uploads": [{"token": "1.x"}]}),
            vec!["1 file(s) could not be saved."],
        ),
    ] {
        post(&world, "carol", "/boards/1/topics.json", fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    let path = format!("/messages/{id}/replies.json");
    post(&world, "carol", &path, json!({}))
        .assert_status(422)
        .assert_errors(&["Content cannot be blank"]);
    post(
        &world,
        "carol",
        &path,
        json!({"content": "x", "uploads": [{"token": "1.x"}]}),
    )
    .assert_status(422);
    update(&world, "carol", id, json!({"subject": "", "content": null})).assert_status(422);
    update(
        &world,
        "carol",
        id,
        json!({"subject": "Lost", "uploads": [{"token": "1.x"}]}),
    )
    .assert_status(422);
    world.as_user("carol").post(&path, "{").assert_status(400);
    world
        .as_user("carol")
        .post(&path, json!({"message": "x"}))
        .assert_status(400);
    let shown = world
        .as_user("dave")
        .get(&format!("/messages/{id}.json"))
        .assert_status(200);
    assert_eq!(
        (
            shown.json_path("/message/subject"),
            shown.integer("/message/replies_count")
        ),
        (json!("First"), 0)
    );
    world
        .as_user("dave")
        .get("/boards/1/topics.json")
        .assert_status(200)
        .assert_json_path("/total_count", 1);
}

fn upload(world: &World, name: &str) -> Value {
    let path = format!("/uploads.json?filename={name}");
    let sent = world.as_user("carol").send(
        Method::POST,
        &path,
        Some("application/octet-stream"),
        b"content".to_vec(),
    );
    sent.assert_status(201).json_path("/upload/token")
}

#[test]
fn files_can_be_attached_and_go_with_the_message() {
    let world = world();
    let fields = json!({"subject": "Map", "content": "x", "uploads": [{"token": upload(&world, "map.txt")}]});
    post(&world, "carol", "/boards/1/topics.json", fields).assert_status(201);
    let fields = json!({"content": "x", "uploads": [{"token": upload(&world, "key.txt")}]});
    post(
        &world,
        "carol",
        "/messages/1/replies.json?include=attachments",
        fields,
    )
    .assert_status(201)
    .assert_json_path("/message/attachments/0/filename", "key.txt");
    let shown = world
        .as_user("dave")
        .get("/messages/1.json?include=attachments")
        .assert_status(200);
    assert_eq!(
        shown.json_path("/message/attachments/0/filename"),
        "map.txt"
    );
    assert_eq!(
        shown.json_path("/message/replies/0/attachments/0/filename"),
        "key.txt"
    );
    world
        .as_user("alice")
        .delete("/messages/1.json")
        .assert_status(200);
    for id in [1, 2] {
        world
            .as_user("alice")
            .get(&format!("/attachments/{id}.json"))
            .assert_status(404);
    }
}

#[test]
fn messages_require_permission() {
    let world = world();
    let own = topic(&world, "carol", 1, "Own");
    let hidden = topic(&world, "alice", 3, "Hidden");
    let fields = json!({"subject": "x", "content": "x"});
    // Carol may edit her own message, but not delete it.
    update(&world, "carol", own, fields.clone()).assert_status(200);
    world
        .as_user("carol")
        .delete(&format!("/messages/{own}.json"))
        .assert_status(403);
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (5, 'delete_own_messages')");
    let other = topic(&world, "alice", 1, "Other");
    for login in ["carol", "dave"] {
        update(&world, login, other, fields.clone()).assert_status(403);
        world
            .as_user(login)
            .delete(&format!("/messages/{other}.json"))
            .assert_status(403);
    }
    world
        .as_user("carol")
        .delete(&format!("/messages/{own}.json"))
        .assert_status(200);
    for id in [hidden, 99] {
        let path = format!("/messages/{id}.json");
        let replies = format!("/messages/{id}/replies.json");
        world.as_user("dave").get(&path).assert_status(404);
        update(&world, "dave", id, fields.clone()).assert_status(404);
        world.as_user("dave").delete(&path).assert_status(404);
        post(&world, "dave", &replies, fields.clone()).assert_status(404);
        world.anonymous().get(&path).assert_status(401);
        world
            .anonymous()
            .post(&replies, json!({"message": fields.clone()}))
            .assert_status(401);
    }
    post(&world, "dave", "/boards/3/topics.json", fields.clone()).assert_status(404);
    world
        .anonymous()
        .post("/boards/1/topics.json", json!({"message": fields.clone()}))
        .assert_status(401);
    world.sql("DELETE FROM role_permissions WHERE role_id = 1 AND name = 'add_messages'");
    post(&world, "dave", "/boards/1/topics.json", fields.clone()).assert_status(403);
    post(
        &world,
        "dave",
        &format!("/messages/{other}/replies.json"),
        fields.clone(),
    )
    .assert_status(403);
    update(&world, "alice", other, json!({"locked": true})).assert_status(200);
    post(
        &world,
        "dave",
        &format!("/messages/{other}/replies.json"),
        fields.clone(),
    )
    .assert_status(403);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    world
        .as_user("dave")
        .get(&format!("/messages/{other}.json"))
        .assert_status(200);
    update(&world, "alice", other, fields.clone()).assert_status(403);
}

#[test]
fn anonymous_can_post_with_permission() {
    let world = world();
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (2, 'add_messages'); INSERT INTO settings (name, value) VALUES ('login_required', '0')");
    let response = world.anonymous().post(
        "/boards/1/topics.json",
        json!({"message": {"subject": "Hi", "content": "x"}}),
    );
    let id = response.assert_status(201).integer("/message/id");
    // Nobody owns the message of an anonymous user.
    world
        .anonymous()
        .put(
            &format!("/messages/{id}.json"),
            json!({"message": {"content": "y"}}),
        )
        .assert_status(401);
}
