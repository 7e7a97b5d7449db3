//! `/users/:id/email_addresses` (compatibility 14)

use axum::http::Method;
use quarry_world::{Client, Response, World, user};
use serde_json::json;

fn create(world: &World, login: &str, address: &str) -> Response {
    let path = format!("/users/{}/email_addresses.json", user("bob"));
    world
        .as_user(login)
        .post(&path, json!({"email_address": {"address": address}}))
}

fn address_json(notify: bool) -> String {
    format!(
        r#"{{"id":1,"address":"Bob@Home.test","notify":{notify},"created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}}"#
    )
}

#[test]
fn addresses_are_added_listed_changed_and_removed() {
    let world = World::with_projects();
    let admin = world.as_user("admin");
    let bob = user("bob");
    let created = create(&world, "admin", " Bob@Home.test ").assert_status(201);
    assert_eq!(
        created.location(),
        format!("http://quarry.test/users/{bob}/email_addresses/1")
    );
    assert_eq!(
        created.body,
        format!("{{\"email_address\":{}}}", address_json(true))
    );
    create(&world, "admin", "bob@elsewhere.test").assert_status(201);
    let path = format!("/users/{bob}/email_addresses");
    let list = admin
        .get(&format!("{path}.json?limit=1"))
        .assert_status(200);
    assert_eq!(
        list.body,
        format!(
            "{{\"email_addresses\":[{}],\"total_count\":2,\"offset\":0,\"limit\":1}}",
            address_json(true)
        )
    );
    let past = admin
        .get(&format!("{path}.json?offset=2"))
        .assert_status(200);
    assert_eq!(
        (
            past.array("/email_addresses").len(),
            past.integer("/total_count")
        ),
        (0, 2)
    );
    let body =
        b"<email_address><notify>false</notify><address>ignored</address></email_address>".to_vec();
    let changed = admin
        .send(
            Method::PUT,
            &format!("{path}/1.xml"),
            Some("application/xml"),
            body,
        )
        .assert_status(200);
    changed.assert_contains(
        "<email_address><id>1</id><address>Bob@Home.test</address><notify>false</notify>",
    );
    assert_eq!(
        admin.get(&format!("{path}/1.json")).assert_status(200).body,
        format!("{{\"email_address\":{}}}", address_json(false))
    );
    assert_eq!(
        admin
            .delete(&format!("{path}/1.json"))
            .assert_status(204)
            .body,
        ""
    );
    for missing in [
        format!("{path}/1"),
        format!("{path}/x"),
        format!("/users/{}/email_addresses/2", user("alice")),
    ] {
        admin.get(&format!("{missing}.json")).assert_status(404);
        admin
            .put(
                &format!("{missing}.json"),
                json!({"email_address": {"notify": false}}),
            )
            .assert_status(404);
        admin.delete(&format!("{missing}.json")).assert_status(404);
    }
    admin
        .get("/users/999/email_addresses.json")
        .assert_status(404);
    admin
        .post(
            "/users/999/email_addresses.json",
            json!({"email_address": {"address": "a@b.test"}}),
        )
        .assert_status(404);
}

#[test]
fn address_must_be_valid_and_belong_to_nobody() {
    let world = World::with_projects();
    world.sql(
        "UPDATE users SET mail = 'alice@home.test' WHERE login = 'alice'; UPDATE users SET mail = 'bob@home.test' WHERE login = 'bob'",
    );
    for taken in ["ALICE@home.test", "bob@home.test"] {
        create(&world, "admin", taken)
            .assert_status(422)
            .assert_errors(&["Email has already been taken"]);
    }
    create(&world, "admin", "")
        .assert_status(422)
        .assert_errors(&["Email cannot be blank"]);
    for wrong in ["bob", "bob@", "b ob@home.test", "bob@home"] {
        create(&world, "admin", wrong)
            .assert_status(422)
            .assert_errors(&["Email is invalid"]);
    }
    for n in 0..5 {
        create(&world, "admin", &format!("bob{n}@home.test")).assert_status(201);
    }
    create(&world, "admin", "bob3@home.test").assert_status(422);
    create(&world, "admin", "bob5@home.test")
        .assert_status(422)
        .assert_errors(&["Email addresses are too many (maximum is 5 for one user)"]);
    let path = format!("/users/{}/email_addresses.json", user("bob"));
    world.as_user("admin").post(&path, "{").assert_status(400);
    let taken = json!({"user": {"mail": "bob3@home.test"}});
    world
        .as_user("admin")
        .put(&format!("/users/{}.json", user("alice")), taken)
        .assert_status(422);
}

#[test]
fn addresses_are_for_administrators() {
    let world = World::with_projects();
    create(&world, "admin", "bob@home.test").assert_status(201);
    let path = format!("/users/{}/email_addresses", user("bob"));
    let body = json!({"email_address": {"address": "bob@elsewhere.test"}});
    for login in ["alice", "bob"] {
        let client = world.as_user(login);
        client.get(&format!("{path}.json")).assert_status(403);
        client.get(&format!("{path}/1.json")).assert_status(403);
        client
            .post(&format!("{path}.json"), &body)
            .assert_status(403);
        client
            .put(&format!("{path}/1.json"), &body)
            .assert_status(403);
        client.delete(&format!("{path}/1.json")).assert_status(403);
    }
    world
        .anonymous()
        .get(&format!("{path}.json"))
        .assert_status(401);
    world
        .anonymous()
        .post(&format!("{path}.json"), &body)
        .assert_status(401);
    world
        .anonymous()
        .delete(&format!("{path}/1.json"))
        .assert_status(401);
}

#[test]
fn changesets_find_their_author_by_a_further_address() {
    let world = World::with_projects();
    create(&world, "admin", "bob@home.test").assert_status(201);
    let alice = world.as_user("alice");
    alice
        .post(
            "/projects/open/repositories.json",
            json!({"repository": {"identifier": "main"}}),
        )
        .assert_status(201);
    let changeset = json!({"changeset": {"revision": "0123456789", "committer": "B <bob@home.test>", "comments": "mend"}});
    let created = alice
        .post("/projects/open/repository/main/revisions.json", changeset)
        .assert_status(201);
    assert_eq!(created.json_path("/changeset/user/id"), user("bob").0);
}

fn add_address(client: &Client<'_>, login: &'static str) -> u16 {
    let path = format!("/users/{}/email_addresses.json", user(login));
    client
        .post(
            &path,
            json!({"email_address": {"address": format!("{login}@new.test")}}),
        )
        .status
}

#[test]
fn access_token_does_not_change_the_addresses_of_its_own_user() {
    let world = World::with_projects();
    let app = quarry_world::oauth_flow::App::confidential(&world, "admin");
    let access = quarry_world::oauth_flow::tokens(&world, "admin", &app, "admin").access;
    let client = world
        .anonymous()
        .with("Authorization", &format!("Bearer {access}"));
    assert_eq!(
        [add_address(&client, "admin"), add_address(&client, "bob")],
        [403, 201]
    );
}
