//! `PUT /projects/:project_id/wiki/:title` of a new page

use super::{found, page, titles, update, write};
use axum::http::Method;
use quarry_world::World;
use serde_json::{Value, json};

#[test]
fn first_put_creates_page_and_wiki() {
    let world = World::with_projects();
    let response = update(
        &world,
        "bob",
        "1/wiki/launch%20pad",
        json!({"text": "a\nb zeppelin", "comments": "first"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "/projects/open/wiki/Launch_pad");
    let body = json!({"wiki_page": {
        "title": "Launch_pad",
        "text": "a\nb zeppelin",
        "version": 1,
        "author": {"id": 3, "name": "bob Tester"},
        "comments": "first",
        "project": {"id": 1, "name": "open"},
        "created_on": "2026-11-20T12:00:00Z",
        "updated_on": "2026-11-20T12:00:00Z",
    }});
    assert_eq!(response.body, body.to_string());
    assert_eq!(found(&world, "zeppelin"), ["Wiki: Launch_pad"]);
    let response =
        update(&world, "alice", "open/wiki/%C3%A4hre", json!({"text": "x"})).assert_status(201);
    assert_eq!(response.location(), "/projects/open/wiki/%C3%84hre");
}

#[test]
fn create_accepts_forms_and_xml() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let xml = b"<wiki_page><text>from xml</text><comments>c</comments></wiki_page>".to_vec();
    let response = alice
        .send(
            Method::PUT,
            "/projects/open/wiki/Xml.xml",
            Some("application/xml"),
            xml,
        )
        .assert_status(201);
    assert!(
        response
            .body
            .contains("<title>Xml</title><text>from xml</text><version>1</version>"),
        "{}",
        response.body
    );
    let form = b"wiki_page[text]=from+a+form".to_vec();
    let response = alice
        .send(
            Method::PATCH,
            "/projects/open/wiki/Form.json",
            Some("application/x-www-form-urlencoded"),
            form,
        )
        .assert_status(201);
    assert_eq!(response.json()["wiki_page"]["text"], "from a form");
}

fn errors(world: &World, title: &str, fields: Value) -> Vec<String> {
    update(world, "alice", &format!("open/wiki/{title}"), fields)
        .assert_status(422)
        .errors()
}

#[test]
fn missing_and_long_values_are_reported() {
    let world = World::with_projects();
    assert_eq!(errors(&world, "A", json!({})), ["Text cannot be blank"]);
    assert_eq!(
        errors(&world, "A", json!({"comments": "no text"})),
        ["Text cannot be blank"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": ""})),
        ["Text field cannot be blank"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": " \n"})),
        ["Text field cannot be blank"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": "a\u{0}b"})),
        ["Text is invalid (it contains a NUL character)"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": ["a"]})),
        ["Text is invalid (one value is expected, not a list)"]
    );
    assert_eq!(
        errors(
            &world,
            "A",
            json!({"text": "t", "comments": "ä".repeat(1025)})
        ),
        ["Comment is too long (maximum is 1024 characters)"]
    );
    assert_eq!(
        errors(&world, &"x".repeat(256), json!({"text": "t"})),
        ["Title is too long (maximum is 255 characters)"]
    );
    assert_eq!(
        errors(&world, "%3A", json!({"text": "t"})),
        ["Title cannot be blank"]
    );
    assert_eq!(
        errors(&world, "a%00b", json!({"text": "t"})),
        ["Title is invalid (it contains a control character)"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": "t", "parent_title": "Nope"})),
        ["Parent title is invalid (this wiki has no such page)"]
    );
    assert_eq!(
        errors(&world, "A", json!({"text": "t", "parent_title": "A"})),
        ["Parent title is invalid (this wiki has no such page)"]
    );
    assert_eq!(
        errors(
            &world,
            "%2C",
            json!({"comments": "c".repeat(1025), "parent_title": "Nope"})
        ),
        [
            "Text cannot be blank",
            "Comment is too long (maximum is 1024 characters)",
            "Title cannot be blank",
            "Parent title is invalid (this wiki has no such page)"
        ]
    );
    let alice = world.as_user("alice");
    for body in ["{}", "[]", "7", r#"{"wiki_page":null}"#] {
        alice
            .put("/projects/open/wiki/A.json", body)
            .assert_status(422);
    }
    for body in ["{", r#"{"wiki_page":"x"}"#, r#"{"wiki_page":["x"]}"#] {
        alice
            .put("/projects/open/wiki/A.json", body)
            .assert_status(400);
    }
    assert_eq!(titles(&world), [""; 0]);
    // Values of the maximum length, and empty values.
    let title = "x".repeat(255);
    let fields = json!({"text": "t", "comments": "ä".repeat(1024), "version": null, "parent_title": "", "title": ""});
    update(&world, "alice", &format!("open/wiki/{title}"), fields).assert_status(201);
}

#[test]
fn title_with_a_dot_has_no_route() {
    let world = World::with_projects();
    for path in [
        "dots.in.title.json",
        "dots%2Ein%2Etitle.json",
        "we%3Aird%2C%3Ftitle.dot.json",
    ] {
        world
            .as_user("alice")
            .put(
                &format!("/projects/open/wiki/{path}"),
                json!({"wiki_page": {"text": "t"}}),
            )
            .assert_status(404);
    }
    world
        .as_user("alice")
        .post(
            "/projects/open/wiki/Posted.json",
            json!({"wiki_page": {"text": "t"}}),
        )
        .assert_status(404);
    world
        .as_user("alice")
        .put(
            "/projects/open/wiki/Wiki/1.json",
            json!({"wiki_page": {"text": "t"}}),
        )
        .assert_status(404);
    assert_eq!(titles(&world), [""; 0]);
    // Other special characters are removed from the title.
    let response =
        update(&world, "alice", "open/wiki/a%2Fb%7Cc", json!({"text": "t"})).assert_status(201);
    assert_eq!(response.json()["wiki_page"]["title"], "Abc");
    let response = update(
        &world,
        "alice",
        "open/wiki/index",
        json!({"text": "a page like others"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "/projects/open/wiki/Index");
    assert_eq!(
        page(&world, "open/wiki/Index")["text"],
        "a page like others"
    );
}

#[test]
fn title_in_the_body_replaces_the_title_in_the_path() {
    let world = World::with_projects();
    let response = update(
        &world,
        "bob",
        "open/wiki/Ren",
        json!({"text": "t", "title": "named in the body"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "/projects/open/wiki/Named_in_the_body");
    world
        .as_user("dave")
        .get("/projects/open/wiki/Ren.json")
        .assert_status(404);
    let errors = update(
        &world,
        "bob",
        "open/wiki/Ren",
        json!({"text": "t", "title": "NAMED in the body"}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(errors, ["Title has already been taken"]);
}

#[test]
fn version_of_a_missing_page_conflicts() {
    let world = World::with_projects();
    for version in [json!(1), json!("7"), json!("abc"), json!(-1)] {
        update(
            &world,
            "alice",
            "open/wiki/Gone",
            json!({"text": "t", "version": version}),
        )
        .assert_status(409);
    }
    assert_eq!(titles(&world), [""; 0]);
    // Version 0 means that the page must not exist yet.
    update(
        &world,
        "alice",
        "open/wiki/Gone",
        json!({"text": "mine", "version": 0}),
    )
    .assert_status(201);
    update(
        &world,
        "alice",
        "open/wiki/Gone",
        json!({"text": "yours", "version": 0}),
    )
    .assert_status(409);
    assert_eq!(
        (
            page(&world, "open/wiki/Gone")["version"].as_i64(),
            page(&world, "open/wiki/Gone")["text"].as_str()
        ),
        (Some(1), Some("mine"))
    );
}

#[test]
fn read_only_fields_are_ignored() {
    let world = World::with_projects();
    let fields = json!({"text": "t", "author": {"id": 1}, "author_id": 1, "id": 77, "created_on": "2000-01-01T00:00:00Z", "protected": true,
                        "updated_on": "2000-01-01T00:00:00Z", "parent_id": 1, "wiki_id": 9, "is_start_page": true});
    let response = update(&world, "bob", "open/wiki/A", fields)
        .assert_status(201)
        .json();
    assert_eq!(response["wiki_page"]["author"]["id"], 3);
    assert_eq!(response["wiki_page"]["created_on"], "2026-11-20T12:00:00Z");
    update(
        &world,
        "bob",
        "open/wiki/A",
        json!({"text": "not protected"}),
    )
    .assert_status(200);
    world
        .as_user("bob")
        .get("/projects/open/wiki.json")
        .assert_status(404);
}

#[test]
fn create_requires_permission() {
    let world = World::with_projects();
    let body = json!({"wiki_page": {"text": "t"}});
    for login in ["carol", "dave"] {
        world
            .as_user(login)
            .put("/projects/open/wiki/A.json", &body)
            .assert_status(403);
        world
            .as_user(login)
            .put("/projects/secret/wiki/A.xml", &body)
            .assert_status(403);
    }
    world
        .anonymous()
        .put("/projects/open/wiki/A.json", &body)
        .assert_status(401);
    world
        .as_user("alice")
        .put("/projects/missing/wiki/A.json", &body)
        .assert_status(404);
    // The sidebar is protected from the start.
    update(&world, "bob", "open/wiki/sidebar", json!({"text": "s"})).assert_status(403);
    update(
        &world,
        "bob",
        "open/wiki/Side",
        json!({"text": "s", "title": "Sidebar"}),
    )
    .assert_status(403);
    write(&world, "open/wiki/Sidebar", "s");
    update(&world, "bob", "open/wiki/Sidebar", json!({"text": "s2"})).assert_status(403);
    assert_eq!(titles(&world), ["Sidebar"]);
}
