//! `/projects/:id/repositories`, `/repositories/:id` (compatibility 13.3)

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/repositories.json"),
        json!({"repository": fields}),
    )
}

#[test]
fn repository_can_be_added_listed_and_deleted() {
    let world = World::with_projects();
    let response =
        create(&world, "alice", "open", json!({"url": "/srv/git/open.git"})).assert_status(201);
    assert_eq!(
        response.location(),
        "http://quarry.test/projects/open/repository/1/revisions"
    );
    let main = r#"{"id":1,"project":{"id":1,"name":"open"},"identifier":"","scm":"Git","is_default":true,"url":"/srv/git/open.git","created_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(
        response.body,
        format!("{{\"repository\":{main}}}"),
        "the first one is the main one"
    );
    let body =
        b"<repository><identifier>docs</identifier><scm>Mercurial</scm></repository>".to_vec();
    let docs = world
        .as_user("alice")
        .send(
            Method::POST,
            "/projects/1/repositories.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(201);
    docs.assert_contains("<identifier>docs</identifier><scm>Mercurial</scm><is_default>false</is_default><url></url>");
    let list = world
        .as_user("dave")
        .get("/projects/open/repositories.json")
        .assert_status(200);
    assert_eq!(list.array("/repositories").len(), 2);
    assert!(
        !list.body.contains("url"),
        "addresses are for those who manage repositories: {}",
        list.body
    );
    let page = world
        .as_user("alice")
        .get("/projects/open/repositories.json?limit=1")
        .assert_status(200)
        .body;
    assert_eq!(
        page,
        format!("{{\"repositories\":[{main}],\"total_count\":2,\"offset\":0,\"limit\":1}}")
    );
    let past = world
        .as_user("dave")
        .get("/projects/open/repositories.xml?offset=2")
        .assert_status(200)
        .body;
    assert!(past.contains("<repositories total_count=\"2\" offset=\"2\" limit=\"25\" type=\"array\"></repositories>"), "{past}");
    create(
        &world,
        "alice",
        "open",
        json!({"identifier": "new", "is_default": true}),
    )
    .assert_status(201);
    let first = world
        .as_user("dave")
        .get("/projects/open/repositories.json")
        .assert_status(200);
    assert_eq!(
        (
            first.json_path("/repositories/0/identifier"),
            first.json_path("/repositories/1/is_default")
        ),
        (json!("new"), json!(false))
    );
    let issue = world.issue("open").create();
    let changeset = json!({"changeset": {"revision": "abc", "comments": format!("refs #{issue} zeppelin"), "files": ["/a"]}});
    world
        .as_user("bob")
        .post("/projects/open/repository/docs/revisions.json", changeset)
        .assert_status(201);
    let child = json!({"changeset": {"revision": "abd", "parents": ["abc"]}});
    world
        .as_user("bob")
        .post("/projects/open/repository/docs/revisions.json", child)
        .assert_status(201);
    assert_eq!(
        world
            .as_user("alice")
            .delete("/repositories/2.json")
            .assert_status(200)
            .body,
        ""
    );
    assert_eq!(
        world
            .as_user("dave")
            .get("/search.json?q=zeppelin")
            .assert_status(200)
            .integer("/total_count"),
        0
    );
    let shown = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json?include=changesets"))
        .assert_status(200);
    assert_eq!(shown.array("/issue/changesets").len(), 0);
    world
        .as_user("alice")
        .get("/projects/open/repository/docs/revisions.json")
        .assert_status(404);
    world
        .as_user("alice")
        .delete("/repositories/2.json")
        .assert_status(404);
}

#[test]
fn validation_errors_name_the_attribute() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"identifier": "main"})).assert_status(201);
    let format = "Identifier is invalid (lower-case letters, digits, - and _, not only digits)";
    let long = "x".repeat(256);
    for (fields, error) in [
        (json!({}), "Identifier cannot be blank"),
        (
            json!({"identifier": "main"}),
            "Identifier has already been taken",
        ),
        (json!({"identifier": "12"}), format),
        (json!({"identifier": "A/b"}), format),
        (
            json!({"identifier": "x".repeat(256)}),
            "Identifier is too long (maximum is 255 characters)",
        ),
        (
            json!({"identifier": "x", "url": long}),
            "URL is too long (maximum is 255 characters)",
        ),
        (
            json!({"identifier": "x", "scm": "Darcs"}),
            "SCM is not included in the list (Git, Subversion, Mercurial, Cvs, Bazaar, Filesystem)",
        ),
        (
            json!({"identifier": []}),
            "Identifier is invalid (one value is expected, not a list)",
        ),
    ] {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    world
        .as_user("alice")
        .post("/projects/open/repositories.json", "{")
        .assert_status(400);
    world
        .as_user("alice")
        .get("/projects/open/repositories.json")
        .assert_status(200)
        .assert_json_path("/total_count", 1);
}

#[test]
fn repositories_require_permission() {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        create(&world, "alice", project, json!({"identifier": "main"})).assert_status(201);
    }
    for login in ["bob", "carol", "dave"] {
        create(&world, login, "open", json!({"identifier": "x"})).assert_status(403);
        world
            .as_user(login)
            .delete("/repositories/1.json")
            .assert_status(403);
        create(&world, login, "secret", json!({"identifier": "x"})).assert_status(404);
        for id in [2, 9] {
            world
                .as_user(login)
                .delete(&format!("/repositories/{id}.xml"))
                .assert_status(404);
        }
        world
            .as_user(login)
            .get("/projects/secret/repositories.json")
            .assert_status(404);
    }
    world
        .anonymous()
        .get("/projects/open/repositories.json")
        .assert_status(401);
    world
        .anonymous()
        .delete("/repositories/1.json")
        .assert_status(401);
    world.sql("DELETE FROM role_permissions WHERE role_id = 1 AND name = 'view_changesets'");
    world
        .as_user("dave")
        .get("/projects/open/repositories.json")
        .assert_status(403);
}

#[test]
fn repository_is_updated() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"url": "/srv/git/open.git"})).assert_status(201);
    create(&world, "alice", "open", json!({"identifier": "docs"})).assert_status(201);
    let docs =
        update(&world, "alice", 2, json!({"url": " /srv/git/docs.git ", "is_default": true, "identifier": "other", "scm": "Cvs", "id": 9})).assert_status(200);
    let expected = r#"{"id":2,"project":{"id":1,"name":"open"},"identifier":"docs","scm":"Git","is_default":true,"url":"/srv/git/docs.git","created_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(
        docs.body,
        format!("{{\"repository\":{expected}}}"),
        "identifier and type are fixed"
    );
    assert_eq!(
        world
            .as_user("alice")
            .get("/repositories/2.json")
            .assert_status(200)
            .body,
        docs.body
    );
    let former = world
        .as_user("dave")
        .get("/repositories/1.xml")
        .assert_status(200)
        .body;
    assert!(
        former.contains(
            "<identifier></identifier><scm>Git</scm><is_default>false</is_default><created_on>"
        ),
        "{former}"
    );
    update(
        &world,
        "alice",
        1,
        json!({"identifier": "main", "url": null}),
    )
    .assert_status(200)
    .assert_json_path("/repository/identifier", "main");
    world
        .as_user("dave")
        .get("/projects/open/repository/main/revisions.json")
        .assert_status(200);
    let body = b"<repository><is_default>true</is_default></repository>".to_vec();
    let main = world
        .as_user("alice")
        .send(
            Method::PATCH,
            "/repositories/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200);
    main.assert_contains("<is_default>true</is_default><url></url>");
    update(&world, "alice", 2, json!({}))
        .assert_status(200)
        .assert_json_path("/repository/is_default", false);
    update(&world, "alice", 2, json!({"is_default": false})).assert_status(200);
}

fn update(world: &World, login: &str, id: i64, fields: Value) -> Response {
    world.as_user(login).put(
        &format!("/repositories/{id}.json"),
        json!({"repository": fields}),
    )
}

#[test]
fn invalid_update_of_a_repository_changes_nothing() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({})).assert_status(201);
    create(&world, "alice", "open", json!({"identifier": "docs"})).assert_status(201);
    let before = world
        .as_user("alice")
        .get("/repositories/1.json")
        .assert_status(200)
        .body;
    for (fields, error) in [
        (
            json!({"url": "/a", "is_default": false}),
            "Is default cannot be cleared (make another repository the main one)",
        ),
        (
            json!({"url": "/a", "identifier": "docs"}),
            "Identifier has already been taken",
        ),
        (
            json!({"url": "/a", "identifier": "12"}),
            "Identifier is invalid (lower-case letters, digits, - and _, not only digits)",
        ),
        (
            json!({"identifier": "a", "url": "x".repeat(256)}),
            "URL is too long (maximum is 255 characters)",
        ),
        (
            json!({"identifier": "a", "url": []}),
            "URL is invalid (one value is expected, not a list)",
        ),
    ] {
        update(&world, "alice", 1, fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    assert_eq!(
        world
            .as_user("alice")
            .get("/repositories/1.json")
            .assert_status(200)
            .body,
        before
    );
    for login in ["bob", "carol", "dave"] {
        update(&world, login, 1, json!({"url": "/b"})).assert_status(403);
    }
    update(&world, "alice", 9, json!({})).assert_status(404);
    create(&world, "alice", "secret", json!({})).assert_status(201);
    update(&world, "dave", 3, json!({})).assert_status(404);
    world
        .as_user("dave")
        .get("/repositories/3.json")
        .assert_status(404);
    world
        .anonymous()
        .get("/repositories/1.json")
        .assert_status(401);
    world
        .anonymous()
        .put("/repositories/1.json", "{}")
        .assert_status(401);
    assert_eq!(
        world
            .as_user("alice")
            .get("/repositories/1.json")
            .assert_status(200)
            .body,
        before
    );
}
