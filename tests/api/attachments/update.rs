//! `PUT /attachments/:id`, `PATCH /attachments/:id`

use super::world;
use axum::http::Method;
use quarry::actions::content::attachments::NewUpload;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::World;
use quarry_world::attachments::{attaching, file, upload};
use serde_json::{Value, json};

#[test]
fn update_changes_filename_and_description() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let alice = world.as_user("alice");
    let address = format!("/attachments/{id}.json");
    let shown = alice
        .put(
            &address,
            json!({"attachment": {"filename": "zeppelin.bin", "description": "new"}}),
        )
        .assert_status(200)
        .json();
    assert_eq!(
        (
            &shown["attachment"]["filename"],
            &shown["attachment"]["description"]
        ),
        (&"zeppelin.bin".into(), &"new".into())
    );
    assert_eq!(shown, alice.get(&address).assert_status(200).json());
    assert_eq!(
        alice.total_count("/search.json?attachments=1&q=zeppelin"),
        1
    );
    let body =
        b"<attachment><filename>\"q\"/b.txt</filename><description></description></attachment>"
            .to_vec();
    let response = alice
        .send(
            Method::PATCH,
            &format!("/attachments/{id}.xml"),
            Some("application/xml"),
            body,
        )
        .assert_status(200);
    assert!(
        response.body.contains("<filename>b.txt</filename>")
            && response.body.contains("<description/>"),
        "{response:?}"
    );
    assert_eq!(
        alice.total_count("/search.json?attachments=1&q=zeppelin"),
        0
    );
    let shown = alice
        .put(&address, json!({"attachment": {"content_type": "text/x", "id": 9, "filesize": 9, "author_id": 1}}))
        .assert_status(200)
        .json();
    let shown = &shown["attachment"];
    assert_eq!(
        (&shown["id"], &shown["filesize"], &shown["author"]["id"]),
        (&id.into(), &1.into(), &3.into())
    );
    assert_eq!(shown["content_type"], "text/x");
    let issue = alice.get("/issues/1.json").assert_status(200).json();
    assert_eq!(issue["issue"]["updated_on"], issue["issue"]["created_on"]);
}

#[test]
fn validation_errors_are_reported() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let alice = world.as_user("alice");
    let address = format!("/attachments/{id}.json");
    let long = json!({"attachment": {"filename": "", "description": "x".repeat(256)}});
    let expected = [
        "File cannot be blank",
        "Description is too long (maximum is 255 characters)",
    ];
    alice
        .put(&address, &long)
        .assert_status(422)
        .assert_errors(&expected);
    for body in [
        "{\"attachment\":{\"filename\":null}}",
        "{\"attachment\":{\"filename\":\"a/\"}}",
        "{\"attachment\":{\"filename\":[1]}}",
    ] {
        assert_eq!(
            alice.put(&address, body).assert_status(422).errors().len(),
            1,
            "{body}"
        );
    }
    alice
        .put(&address, json!({"attachment": {"content_type": "a\nb"}}))
        .assert_status(422);
    alice
        .put(&address, json!({"attachment": {"description": "a\0"}}))
        .assert_status(422);
    for body in [
        "{\"attachment\":\"x\"}",
        "{\"attachment\":[1]}",
        "{",
        "\u{0}",
    ] {
        alice.put(&address, body).assert_status(400);
    }
    for body in [
        "",
        "{}",
        "{\"attachment\":null}",
        "{\"attachment\":{}}",
        "{\"other\":1}",
    ] {
        alice.put(&address, body).assert_status(200);
    }
    alice
        .get(&address)
        .assert_status(200)
        .assert_json_path("/attachment/filename", "a.txt");
    alice
        .put(
            "/attachments/99.json",
            json!({"attachment": {"filename": "b"}}),
        )
        .assert_status(404);
}

fn update(world: &World, body: &Value, login: &str, id: i64) -> u16 {
    world
        .as_user(login)
        .put(&format!("/attachments/{id}.json"), body)
        .status
}

#[test]
fn update_requires_permission_on_the_container() {
    let world = world();
    let issue = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    let released = file(&world, "alice", Kind::Project, 1, "a.txt", "x");
    let body = json!({"attachment": {"description": "mine"}});
    assert_eq!(
        ["admin", "alice", "bob", "carol", "dave"].map(|login| update(&world, &body, login, issue)),
        [200, 200, 200, 403, 403]
    );
    assert_eq!(
        ["admin", "alice", "bob", "carol", "dave"]
            .map(|login| update(&world, &body, login, secret)),
        [200, 200, 403, 403, 403]
    );
    assert_eq!(
        ["admin", "alice", "bob", "carol", "dave"]
            .map(|login| update(&world, &body, login, released)),
        [200, 200, 200, 403, 403]
    );
    upload(&world, "carol", "a.txt", "x");
    assert_eq!(
        ["carol", "admin", "alice"].map(|login| update(&world, &body, login, released + 1)),
        [200, 200, 403]
    );
    world
        .anonymous()
        .put(&format!("/attachments/{issue}.json"), &body)
        .assert_status(401);
}

fn description(world: &World) -> Value {
    world
        .as_user("bob")
        .get("/attachments/1.json")
        .assert_status(200)
        .json_path("/attachment/description")
}

fn put_description(world: &World, value: serde_json::Value) -> Value {
    let body = json!({"attachment": {"description": value}});
    world
        .as_user("bob")
        .put("/attachments/1.json", body)
        .assert_status(200)
        .json_path("/attachment/description")
}

#[test]
fn null_description_differs_from_an_empty_one() {
    let world = world();
    let token = upload(&world, "bob", "a.txt", "x");
    assert_eq!(description(&world), json!(null), "of an upload");
    attaching(
        &world,
        "bob",
        Kind::Issue,
        1,
        vec![NewUpload {
            token,
            ..NewUpload::default()
        }],
    )
    .unwrap();
    assert_eq!(
        description(&world),
        json!(""),
        "of a file that was attached without one"
    );
    assert_eq!(
        [
            put_description(&world, json!("x")),
            put_description(&world, json!("")),
            put_description(&world, json!(null))
        ],
        [json!("x"), json!(""), json!(null)]
    );
}
