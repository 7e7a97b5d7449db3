//! `POST /projects/:id/news`, `PUT /news/:id`, `DELETE /news/:id`

use super::create;
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry::store::content::comments;
use quarry_world::attachments::upload;
use quarry_world::{Response, World};
use serde_json::{Value, json};

#[test]
fn news_is_created_and_found_by_the_next_search() {
    let world = World::with_projects();
    let created = create(
        &world,
        "alice",
        "open",
        json!({"title": "Launch", "summary": "soon", "description": "quokka"}),
    )
    .assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/news/1");
    let expected = r#"{"news":{"id":1,"project":{"id":1,"name":"open"},"author":{"id":2,"name":"alice Tester"},"title":"Launch","summary":"soon","description":"quokka","created_on":"2026-11-20T12:00:00Z"}}"#;
    assert_eq!(created.body, expected);
    assert_eq!(
        (
            world.count_hits("dave", "quokka"),
            world.count_hits("dave", "launch")
        ),
        (1, 1)
    );
    create(
        &world,
        "alice",
        "secret",
        json!({"title": "Hidden", "description": "wombat"}),
    )
    .assert_status(201);
    assert_eq!(
        (
            world.count_hits("alice", "wombat"),
            world.count_hits("dave", "wombat")
        ),
        (1, 0)
    );
    world.set(Setting::RedmineCompatibility, "1");
    assert_eq!(
        create(
            &world,
            "alice",
            "open",
            json!({"title": "Strict", "description": "d"})
        )
        .assert_status(204)
        .body,
        ""
    );
    world.as_user("dave").get("/news/3.json").assert_status(200);
}

#[test]
fn news_is_updated_with_files() {
    let world = World::with_projects();
    create(
        &world,
        "alice",
        "open",
        json!({"title": "Launch", "description": "quokka"}),
    )
    .assert_status(201);
    let token = upload(&world, "alice", "plan.txt", "x");
    let body = json!({"news": {"title": "Start", "description": "wombat", "uploads": [{"token": token, "description": "d"}]}});
    world
        .as_user("alice")
        .put("/news/1.json", body)
        .assert_status(200)
        .assert_json_path("/news/title", "Start");
    assert_eq!(
        (
            world.count_hits("dave", "quokka"),
            world.count_hits("dave", "wombat"),
            world.count_hits("dave", "start")
        ),
        (0, 1, 1)
    );
    let shown = world
        .as_user("dave")
        .get("/news/1.json?include=attachments")
        .assert_status(200);
    assert_eq!(
        shown.json_path("/news/attachments/0/filename"),
        json!("plan.txt")
    );
    let body = b"<news><summary>soon</summary></news>".to_vec();
    let xml = world
        .as_user("alice")
        .send(Method::PATCH, "/news/1.xml", Some("application/xml"), body)
        .assert_status(200)
        .body;
    assert!(
        xml.contains(
            "<title>Start</title><summary>soon</summary><description>wombat</description>"
        ),
        "{xml}"
    );
    world
        .as_user("alice")
        .put("/news/1.json", "{}")
        .assert_status(200)
        .assert_json_path("/news/summary", "soon");
}

#[test]
fn deleted_news_is_gone_with_comments_and_files() {
    let world = World::with_projects();
    let uploads = json!([{"token": upload(&world, "alice", "plan.txt", "x")}]);
    create(
        &world,
        "alice",
        "open",
        json!({"title": "Launch", "description": "quokka", "uploads": uploads}),
    )
    .assert_status(201);
    world
        .as_user("bob")
        .post(
            "/news/1/comments.json",
            json!({"comment": {"content": "good"}}),
        )
        .assert_status(201);
    world
        .as_user("bob")
        .get("/attachments/1.json")
        .assert_status(200);
    assert_eq!(
        world
            .as_user("alice")
            .delete("/news/1.json")
            .assert_status(200)
            .body,
        ""
    );
    world
        .as_user("alice")
        .delete("/news/1.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/news/1.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/attachments/1.json")
        .assert_status(404);
    assert_eq!(world.count_hits("alice", "quokka"), 0);
    assert_eq!(
        world.app.store.read(|db| comments::count(db, 1)).unwrap(),
        0
    );
}

fn post(world: &World, body: &str) -> Response {
    world
        .as_user("alice")
        .post("/projects/open/news.json", body)
}

#[test]
fn invalid_news_is_refused_and_nothing_is_created() {
    let world = World::with_projects();
    let cases = [
        (
            json!({}),
            vec!["Title cannot be blank", "Description cannot be blank"],
        ),
        (
            json!({"title": "", "description": " "}),
            vec!["Title cannot be blank", "Description cannot be blank"],
        ),
        (
            json!({"title": "x".repeat(61), "description": ""}),
            vec![
                "Description cannot be blank",
                "Title is too long (maximum is 60 characters)",
            ],
        ),
        (
            json!({"title": "a", "description": "d", "summary": "x".repeat(256)}),
            vec!["Summary is too long (maximum is 255 characters)"],
        ),
        (
            json!({"title": [], "description": "d"}),
            vec!["Title is invalid (one value is expected, not a list)"],
        ),
        (
            json!({"title": "a", "description": "d", "uploads": [{"token": "bad"}]}),
            vec!["1 file(s) could not be saved."],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    post(&world, "{").assert_status(400);
    post(&world, r#"{"news":"x"}"#).assert_status(400);
    assert_eq!(
        world
            .as_user("alice")
            .get("/news.json")
            .assert_status(200)
            .integer("/total_count"),
        0
    );
    let created = create(
        &world,
        "alice",
        "open",
        json!({"title": "a", "description": "d"}),
    )
    .assert_status(201);
    // What was refused may have used up ids.
    let path = format!("/news/{}.json", created.integer("/news/id"));
    let update = |world: &World, body: &str| world.as_user("alice").put(&path, body);
    update(&world, r#"{"news":{"title":"","summary":"s"}}"#)
        .assert_status(422)
        .assert_errors(&["Title cannot be blank"]);
    update(
        &world,
        r#"{"news":{"summary":"s","uploads":[{"token":"bad"}]}}"#,
    )
    .assert_status(422)
    .assert_errors(&["1 file(s) could not be saved."]);
    assert!(
        world.as_user("alice").get(&path).assert_status(200).json()["news"]
            .get("summary")
            .is_none()
    );
    world
        .as_user("alice")
        .put("/news/9.json", json!({}))
        .assert_status(404);
    world
        .as_user("alice")
        .post(
            "/news.json",
            json!({"news": {"project_id": 1, "title": "t", "description": "d"}}),
        )
        .assert_status(404);
}

#[test]
fn managing_news_requires_permission_and_module() {
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
    for (login, project, id) in [
        ("bob", "open", 1),
        ("carol", "open", 1),
        ("dave", "secret", 2),
    ] {
        create(
            &world,
            login,
            project,
            json!({"title": "a", "description": "d"}),
        )
        .assert_status(403);
        world
            .as_user(login)
            .put(&format!("/news/{id}.json"), json!({}))
            .assert_status(403);
        world
            .as_user(login)
            .delete(&format!("/news/{id}.xml"))
            .assert_status(403);
    }
    create(
        &world,
        "alice",
        "none",
        json!({"title": "a", "description": "d"}),
    )
    .assert_status(404);
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'news'; UPDATE projects SET status = 5 WHERE id = 2");
    for (project, id) in [("open", 1), ("secret", 2)] {
        create(
            &world,
            "alice",
            project,
            json!({"title": "a", "description": "d"}),
        )
        .assert_status(403);
        world
            .as_user("admin")
            .put(&format!("/news/{id}.json"), json!({}))
            .assert_status(403);
        world
            .as_user("admin")
            .delete(&format!("/news/{id}.json"))
            .assert_status(403);
    }
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/projects/open/news.json", json!({}))
        .assert_status(401);
    world
        .anonymous()
        .put("/news/2.json", json!({}))
        .assert_status(401);
    world.anonymous().delete("/news/2.json").assert_status(401);
}

fn summaries(world: &World) -> Vec<Value> {
    let listed = world
        .as_user("alice")
        .get("/news.json")
        .assert_status(200)
        .array("/news");
    listed
        .iter()
        .map(|news| news["summary"].clone())
        .collect::<Vec<_>>()
}

#[test]
fn null_summary_differs_from_an_empty_one_in_lists() {
    let world = World::with_projects();
    for body in [
        json!({"title": "a", "description": "d"}),
        json!({"title": "b", "description": "d", "summary": ""}),
        json!({"title": "c", "description": "d", "summary": null}),
    ] {
        assert_eq!(
            create(&world, "alice", "open", body)
                .assert_status(201)
                .json()["news"]
                .get("summary"),
            None
        );
    }
    assert_eq!(summaries(&world), [json!(null), json!(""), json!("")]);
    assert!(
        world
            .as_user("alice")
            .put("/news/3.json", json!({"news": {"summary": ""}}))
            .assert_status(200)
            .json()["news"]["summary"]
            .is_null()
    );
    assert_eq!(summaries(&world), [json!(""), json!(""), json!("")]);
}

#[test]
fn empty_summary_of_a_single_news_item_is_left_out() {
    let world = World::with_projects();
    for summary in [json!(""), json!(null), json!("soon")] {
        create(
            &world,
            "alice",
            "open",
            json!({"title": "Launch", "summary": summary, "description": "d"}),
        )
        .assert_status(201);
    }
    for id in [1, 2] {
        assert!(
            world
                .as_user("dave")
                .get(&format!("/news/{id}.json"))
                .assert_status(200)
                .json_path("/news")
                .get("summary")
                .is_none(),
            "{id}"
        );
        assert!(
            !world
                .as_user("dave")
                .get(&format!("/news/{id}.xml"))
                .assert_status(200)
                .body
                .contains("summary"),
            "{id}"
        );
    }
    assert_eq!(
        world
            .as_user("dave")
            .get("/news/3.json")
            .assert_status(200)
            .json_path("/news/summary"),
        "soon"
    );
    let listed: Vec<serde_json::Value> = world
        .as_user("dave")
        .get("/news.json")
        .assert_status(200)
        .array("/news")
        .iter()
        .map(|item| item["summary"].clone())
        .collect();
    assert_eq!(
        listed,
        [json!("soon"), json!(null), json!("")],
        "lists keep them"
    );
}
