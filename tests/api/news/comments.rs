//! `GET` and `POST /news/:id/comments`, `DELETE /news/:id/comments/:comment_id`

use super::create;
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::json;

fn contents_in_news(world: &World) -> Vec<String> {
    let news = world
        .as_user("dave")
        .get("/news/1.json?include=comments")
        .assert_status(200);
    news.texts("/news/comments", "content")
}

#[test]
fn comments_are_added_listed_and_deleted() {
    let world = World::with_projects();
    create(
        &world,
        "alice",
        "open",
        json!({"title": "Launch", "description": "d"}),
    )
    .assert_status(201);
    let created = world
        .as_user("bob")
        .post(
            "/news/1/comments.json",
            json!({"comment": {"content": "good"}}),
        )
        .assert_status(201);
    assert_eq!(
        created.body,
        r#"{"comment":{"id":1,"author":{"id":3,"name":"bob Tester"},"content":"good"}}"#
    );
    assert_eq!(created.location(), "http://quarry.test/news/1");
    let body = b"<comment><comments>better</comments></comment>".to_vec();
    let xml = world
        .as_user("alice")
        .send(
            Method::POST,
            "/news/1/comments.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(201)
        .body;
    assert!(xml.ends_with("<comment id=\"2\"><author id=\"2\" name=\"alice Tester\"/><content>better</content></comment>"), "{xml}");
    assert_eq!(contents_in_news(&world), ["good", "better"]);
    assert_eq!(
        world
            .as_user("alice")
            .delete("/news/1/comments/1.json")
            .assert_status(200)
            .body,
        ""
    );
    assert_eq!(contents_in_news(&world), ["better"]);
}

fn post(world: &World, body: &str) -> Response {
    world.as_user("bob").post("/news/1/comments.json", body)
}

#[test]
fn invalid_comments_are_refused() {
    let world = World::with_projects();
    for title in ["a", "b"] {
        create(
            &world,
            "alice",
            "open",
            json!({"title": title, "description": "d"}),
        )
        .assert_status(201);
    }
    world.set(Setting::TextMaxLength, "10");
    for body in ["{}", r#"{"comment":{}}"#, r#"{"comment":{"content":" "}}"#] {
        post(&world, body)
            .assert_status(422)
            .assert_errors(&["Comment cannot be blank"]);
    }
    post(&world, r#"{"comment":{"content":"12345678901"}}"#)
        .assert_status(422)
        .assert_errors(&["Comment is too long (maximum is 10 characters)"]);
    post(&world, r#"{"comment":{"content":{}}}"#).assert_status(422);
    post(&world, r#"{"comment":"x"}"#).assert_status(400);
    post(&world, r#"{"comment":{"content":"fine"}}"#).assert_status(201);
    for path in [
        "/news/2/comments/1.json",
        "/news/1/comments/9.json",
        "/news/9/comments/1.json",
        "/news/1/comments/x.json",
    ] {
        world.as_user("alice").delete(path).assert_status(404);
    }
    world
        .as_user("bob")
        .post(
            "/news/9/comments.json",
            json!({"comment": {"content": "x"}}),
        )
        .assert_status(404);
}

#[test]
fn comments_require_permission() {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        create(
            &world,
            "alice",
            project,
            json!({"title": "a", "description": "d"}),
        )
        .assert_status(201);
    }
    let comment = json!({"comment": {"content": "x"}});
    world
        .as_user("bob")
        .post("/news/1/comments.json", &comment)
        .assert_status(201);
    world
        .as_user("bob")
        .post("/news/2/comments.json", &comment)
        .assert_status(403);
    world
        .as_user("bob")
        .delete("/news/1/comments/1.json")
        .assert_status(403);
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'comment_news'");
    world
        .as_user("bob")
        .post("/news/1/comments.json", &comment)
        .assert_status(403);
    world.sql("DELETE FROM role_permissions WHERE role_id = 3 AND name = 'view_news'");
    world
        .as_user("alice")
        .post("/news/1/comments.json", &comment)
        .assert_status(403);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/news/1/comments.json", &comment)
        .assert_status(401);
    world
        .anonymous()
        .delete("/news/1/comments/1.json")
        .assert_status(401);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    world
        .as_user("admin")
        .post("/news/1/comments.json", &comment)
        .assert_status(403);
    world
        .as_user("admin")
        .delete("/news/1/comments/1.json")
        .assert_status(403);
}

fn contents_of_page(world: &World, query: &str) -> Vec<String> {
    let list = world
        .as_user("dave")
        .get(&format!("/news/1/comments.json{query}"))
        .assert_status(200);
    assert_eq!(list.integer("/total_count"), 3);
    list.array("/comments")
        .iter()
        .map(|comment| {
            comment["content"]
                .as_str()
                .unwrap()
                .chars()
                .take(6)
                .collect()
        })
        .collect()
}

#[test]
fn comments_are_listed_in_pages_that_end_early_when_their_texts_are_long() {
    let world = World::with_projects();
    let news = json!({"news": {"title": "Release", "description": "is out"}});
    world
        .as_user("alice")
        .post("/projects/open/news.json", news)
        .assert_status(201);
    for text in ["first", "second", "third"] {
        world
            .as_user("alice")
            .post(
                "/news/1/comments.json",
                json!({"comment": {"content": text}}),
            )
            .assert_status(201);
    }
    assert_eq!(contents_of_page(&world, ""), ["first", "second", "third"]);
    assert_eq!(contents_of_page(&world, "?limit=1&offset=1"), ["second"]);
    assert_eq!(contents_of_page(&world, "?offset=3"), [""; 0]);
    world
        .as_user("dave")
        .get("/news/1/comments.xml")
        .assert_status(200)
        .assert_contains("<comment id=\"1\"><author id=\"2\"");
    // As an import leaves them.
    let text = "ab".repeat(2_500_000);
    for (id, word) in [(2, "second"), (3, "third")] {
        world.sql(&format!(
            "UPDATE comments SET content = '{word}{text}' WHERE id = {id}"
        ));
    }
    assert_eq!(contents_of_page(&world, ""), ["first", "second"]);
    assert_eq!(contents_of_page(&world, "?offset=2"), ["thirda"]);
    assert_eq!(
        world
            .as_user("dave")
            .get("/news/1.json?include=comments")
            .array("/news/comments")
            .len(),
        2
    );
    let page = Browser::logged_in(&world, "dave")
        .get("/news/1")
        .assert_status(200);
    assert_eq!(
        page.body.matches("aria-label=\"React to comment").count(),
        2
    );
    page.assert_contains("Comments <span class=\"count\">3</span>")
        .assert_contains("Comments that do not fit into this page: 1.");
    world
        .as_user("dave")
        .get("/news/999/comments.json")
        .assert_status(404);
    world
        .anonymous()
        .get("/news/1/comments.json")
        .assert_status(401);
    world
        .as_user("alice")
        .post(
            "/projects/secret/news.json",
            json!({"news": {"title": "Hidden", "description": "x"}}),
        )
        .assert_status(201);
    world
        .as_user("dave")
        .get("/news/2/comments.json")
        .assert_status(403);
}
