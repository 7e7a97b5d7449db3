//! `POST /issues/:id/watchers`, `DELETE /issues/:id/watchers/:user_id` (compatibility 6.7)

use axum::http::Method;
use quarry_world::{Response, World, insert_group};
use serde_json::{Value, json};

fn watchers(world: &World, issue: i64) -> Vec<i64> {
    let response = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json?include=watchers"))
        .assert_status(200)
        .json();
    response["issue"]["watchers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|watcher| watcher["id"].as_i64().unwrap())
        .collect()
}

fn post(world: &World, id: i64, body: Value) -> Response {
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/watchers.json"), body)
        .assert_status(204)
}

fn delete(world: &World, id: i64, user: i64, format: &str) -> Response {
    world
        .as_user("alice")
        .delete(&format!("/issues/{id}/watchers/{user}.{format}"))
}

#[test]
fn watchers_can_be_added_and_removed() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let before = watchers(&world, id);
    let group = world.app.clock.now();
    let group = world
        .write(move |db| insert_group(db, "Crew", &[], group))
        .0;
    assert_eq!(post(&world, id, json!({"user_id": 5})).body, "");
    post(&world, id, json!({"user_id": 5}));
    post(
        &world,
        id,
        json!({"watcher": {"user_ids": [3, "4", group]}}),
    );
    for body in [
        json!({}),
        json!({"user_id": 999}),
        json!({"user_id": 6}),
        json!({"user_id": "x"}),
        json!({"user_id": {}}),
        json!({"user_ids": [1]}),
        json!([]),
    ] {
        post(&world, id, body);
    }
    assert_eq!(
        watchers(&world, id),
        [before, vec![5, 3, 4, group]].concat()
    );
    for format in ["json", "xml"] {
        assert_eq!(delete(&world, id, 5, format).assert_status(204).body, "");
    }
    delete(&world, id, 999, "json").assert_status(404);
    assert!(!watchers(&world, id).contains(&5));
    let path = format!("/issues/{id}/watchers.xml");
    world
        .as_user("alice")
        .send(
            Method::POST,
            &path,
            Some("application/xml"),
            b"<user_id>5</user_id>".to_vec(),
        )
        .assert_status(204);
    assert!(watchers(&world, id).contains(&5));
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/watchers.json"), "{")
        .assert_status(400);
    world
        .as_user("alice")
        .get(&format!("/issues/{id}/watchers.json"))
        .assert_status(404);
}

#[test]
fn too_many_watchers_are_rejected() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let ids: Vec<i64> = (1..=1001).collect();
    let body = json!({"watcher": {"user_ids": ids}});
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/watchers.json"), &body)
        .assert_status(422);
}

fn refusal(world: &World, login: &str, issue: i64) -> String {
    world
        .as_user(login)
        .post(
            &format!("/issues/{issue}/watchers.json"),
            json!({"user_id": 3}),
        )
        .assert_status(403)
        .body
}

#[test]
fn watching_requires_permission_and_discloses_nothing() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let hidden = world.issue("secret").create();
    for login in ["bob", "carol", "dave"] {
        assert_eq!(refusal(&world, login, hidden), refusal(&world, login, 9999));
        refusal(&world, login, id);
        for issue in [id, hidden, 9999] {
            world
                .as_user(login)
                .delete(&format!("/issues/{issue}/watchers/3.json"))
                .assert_status(403);
        }
    }
    world
        .as_user("alice")
        .post("/issues/9999/watchers.json", json!({}))
        .assert_status(403);
    world
        .anonymous()
        .post(
            &format!("/issues/{id}/watchers.json"),
            json!({"user_id": 3}),
        )
        .assert_status(401);
    world
        .anonymous()
        .delete(&format!("/issues/{id}/watchers/3.json"))
        .assert_status(401);
    let seen = world
        .as_user("bob")
        .get(&format!("/issues/{id}.json?include=watchers"))
        .assert_status(200)
        .json();
    assert!(seen["issue"].get("watchers").is_none(), "{seen}");
}

#[test]
fn users_hidden_from_the_viewer_cannot_be_watchers() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let before = watchers(&world, id);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    world
        .as_user("alice")
        .post(
            &format!("/issues/{id}/watchers.json"),
            json!({"watcher": {"user_ids": [3, 5]}}),
        )
        .assert_status(204);
    assert_eq!(
        watchers(&world, id),
        [before, vec![3]].concat(),
        "bob is a member, dave of nothing"
    );
}
