//! `POST /projects/:id/memberships`

use super::{create, members, row};
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World, insert_group, user};
use serde_json::{Value, json};

#[test]
fn new_member_sees_the_project_at_the_next_request() {
    let world = World::with_projects();
    world.issue("secret").subject("quokka").create();
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        0
    );
    let created = create(
        &world,
        "alice",
        "secret",
        json!({"user_id": user("dave").0, "role_ids": [5]}),
    )
    .assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/memberships/5");
    let expected = r#"{"membership":{"id":5,"project":{"id":2,"name":"secret"},"user":{"id":5,"name":"dave Tester"},"roles":[{"id":5,"name":"Reporter"}]}}"#;
    assert_eq!(created.body, expected);
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        1
    );
    world
        .as_user("dave")
        .get("/projects/secret.json")
        .assert_status(200);
    world
        .as_user("alice")
        .delete("/memberships/5.json")
        .assert_status(200);
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        0
    );
    world
        .as_user("dave")
        .get("/projects/secret.json")
        .assert_status(403);
}

fn add_all(world: &World, ids: Value) -> Response {
    create(
        world,
        "alice",
        "secret",
        json!({"user_ids": ids, "role_ids": [4, 5]}),
    )
}

#[test]
fn several_users_and_groups_become_members_or_none() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[], now));
    add_all(&world, json!([3, 99]))
        .assert_status(422)
        .assert_errors(&["Principal cannot be blank"]);
    add_all(&world, json!([3, 2]))
        .assert_status(422)
        .assert_errors(&["User has already been taken"]);
    assert_eq!(members(&world, "secret").len(), 1, "nothing is half done");
    add_all(&world, json!([5, group.0, 5]))
        .assert_status(201)
        .assert_json_path("/membership/user/id", 5);
    let expected = [
        row(4, "alice Tester", "Manager"),
        row(5, "dave Tester", "Developer Reporter"),
        row(6, "Quality", "Developer Reporter"),
    ];
    assert_eq!(members(&world, "secret"), expected);
    let body = b"<membership><user_ids type=\"array\"><user_id>3</user_id></user_ids><role_ids type=\"array\"><role_id>5</role_id></role_ids></membership>";
    let xml = world.as_user("alice").send(
        Method::POST,
        "/projects/secret/memberships.xml",
        Some("application/xml"),
        body.to_vec(),
    );
    assert!(
        xml.assert_status(201)
            .body
            .contains("<membership><id>7</id>")
    );
}

#[test]
fn builtin_groups_become_members_and_the_anonymous_user_does_not() {
    let world = World::with_projects();
    world.sql("INSERT INTO users (id, type, created_on, updated_on) VALUES (20, 'GroupNonMember', 0, 0), (21, 'AnonymousUser', 0, 0)");
    let created = create(
        &world,
        "alice",
        "open",
        json!({"user_id": 20, "role_ids": [4]}),
    )
    .assert_status(201);
    assert_eq!(
        created.json_path("/membership/group"),
        json!({"id": 20, "name": "Non member users"})
    );
    create(
        &world,
        "alice",
        "open",
        json!({"user_id": 21, "role_ids": [4]}),
    )
    .assert_status(422)
    .assert_errors(&["Principal cannot be blank"]);
}

fn post(world: &World, body: &str) -> Response {
    world
        .as_user("alice")
        .post("/projects/open/memberships.json", body)
}

#[test]
fn invalid_memberships_are_refused() {
    let world = World::with_projects();
    let cases = [
        (
            json!({}),
            vec!["Principal cannot be blank", "Role cannot be empty"],
        ),
        (json!({"role_ids": [4]}), vec!["Principal cannot be blank"]),
        (
            json!({"user_id": "x", "role_ids": [4]}),
            vec!["Principal cannot be blank"],
        ),
        (json!({"user_id": 5}), vec!["Role cannot be empty"]),
        (
            json!({"user_id": 5, "role_ids": []}),
            vec!["Role cannot be empty"],
        ),
        (
            json!({"user_id": 5, "role_ids": [99]}),
            vec!["Role cannot be empty"],
        ),
        (
            json!({"user_id": 5, "role_ids": [1]}),
            vec!["Role cannot be empty"],
        ),
        (
            json!({"user_id": 5, "role_ids": [4, 99]}),
            vec!["Role is invalid"],
        ),
        (
            json!({"user_id": 5, "role_ids": [4, 2]}),
            vec!["Role is invalid"],
        ),
        (
            json!({"user_id": 3, "role_ids": [4]}),
            vec!["User has already been taken"],
        ),
        (
            json!({"user_id": 6, "role_ids": [4]}),
            vec!["Principal cannot be blank"],
        ),
        (
            json!({"user_id": {}, "role_ids": [4]}),
            vec!["User is invalid (a list of at most 1000 values is expected)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    post(&world, "{").assert_status(400);
    post(&world, r#"{"membership":1}"#).assert_status(400);
    assert_eq!(members(&world, "open").len(), 3);
}

#[test]
fn hidden_users_cannot_be_added() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    create(
        &world,
        "alice",
        "open",
        json!({"user_id": 5, "role_ids": [4]}),
    )
    .assert_status(422)
    .assert_errors(&["Principal cannot be blank"]);
    create(
        &world,
        "alice",
        "secret",
        json!({"user_id": 3, "role_ids": [4]}),
    )
    .assert_status(201);
    create(
        &world,
        "admin",
        "open",
        json!({"user_id": 5, "role_ids": [4]}),
    )
    .assert_status(201);
}

#[test]
fn managing_members_requires_permission() {
    let world = World::with_projects();
    let dave = json!({"user_id": 5, "role_ids": [5]});
    for login in ["bob", "carol", "dave"] {
        create(&world, login, "open", dave.clone()).assert_status(403);
        create(&world, login, "secret", dave.clone()).assert_status(403);
        world
            .as_user(login)
            .put(
                "/memberships/4.json",
                json!({"membership": {"role_ids": [4]}}),
            )
            .assert_status(403);
        world
            .as_user(login)
            .put("/memberships/2.json", json!({}))
            .assert_status(403);
        world
            .as_user(login)
            .delete("/memberships/2.json")
            .assert_status(403);
    }
    create(&world, "alice", "none", dave.clone()).assert_status(404);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    create(&world, "alice", "open", dave.clone()).assert_status(403);
    world
        .as_user("admin")
        .delete("/memberships/2.json")
        .assert_status(403);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/projects/open/memberships.json", json!({}))
        .assert_status(401);
    world
        .anonymous()
        .put("/memberships/1.json", json!({}))
        .assert_status(401);
    world
        .anonymous()
        .delete("/memberships/1.json")
        .assert_status(401);
}
