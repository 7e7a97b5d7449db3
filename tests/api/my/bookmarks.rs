//! `GET /my/bookmarks`, `PUT` and `DELETE /projects/:id/bookmark` (compatibility 13.5)

use axum::http::Method;
use quarry_world::World;

#[test]
fn bookmark_is_set_listed_and_removed() {
    let world = World::with_projects();
    for (project, word) in [("open", "pump"), ("secret", "pump")] {
        world.issue(project).subject(word).create();
    }
    let alice = world.as_user("alice");
    for path in [
        "/projects/open/bookmark.json",
        "/projects/1/bookmark.xml",
        "/projects/secret/bookmark.json",
    ] {
        assert_eq!(
            alice
                .send(Method::PUT, path, None, Vec::new())
                .assert_status(204)
                .body,
            ""
        );
    }
    let open = r#"{"id":1,"name":"open","identifier":"open"}"#;
    let list = alice
        .get("/my/bookmarks.json?limit=1")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"projects\":[{open}],\"total_count\":2,\"offset\":0,\"limit\":1}}")
    );
    alice
        .get("/my/bookmarks.xml")
        .assert_status(200)
        .assert_contains("type=\"array\"><project><id>1</id><name>open</name>");
    let past = alice.get("/my/bookmarks.json?offset=2").assert_status(200);
    assert_eq!(
        (past.array("/projects").len(), past.integer("/total_count")),
        (0, 2)
    );
    assert_eq!(alice.total_count("/search.json?q=pump&scope=bookmarks"), 2);
    for _ in 0..2 {
        alice
            .delete("/projects/secret/bookmark.json")
            .assert_status(204);
    }
    assert_eq!(
        (
            alice.total_count("/search.json?q=pump&scope=bookmarks"),
            alice
                .get("/my/bookmarks.json")
                .assert_status(200)
                .integer("/total_count")
        ),
        (1, 1)
    );
    world
        .as_user("bob")
        .get("/my/bookmarks.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn hidden_projects_look_like_missing_ones() {
    let world = World::with_projects();
    for path in [
        "/projects/secret/bookmark.json",
        "/projects/none/bookmark.json",
    ] {
        world
            .as_user("dave")
            .send(Method::PUT, path, None, Vec::new())
            .assert_status(404);
        world.as_user("dave").delete(path).assert_status(404);
        world.anonymous().delete(path).assert_status(401);
    }
    world
        .anonymous()
        .send(
            Method::PUT,
            "/projects/open/bookmark.json",
            None,
            Vec::new(),
        )
        .assert_status(401);
    world
        .anonymous()
        .get("/my/bookmarks.json")
        .assert_status(401);
    // What is hidden later is listed no more.
    world
        .as_user("dave")
        .send(
            Method::PUT,
            "/projects/open/bookmark.json",
            None,
            Vec::new(),
        )
        .assert_status(204);
    world.sql("UPDATE projects SET is_public = 0 WHERE id = 1");
    world
        .as_user("dave")
        .get("/my/bookmarks.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}
