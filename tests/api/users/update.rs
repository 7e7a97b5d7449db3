//! `PUT /users/:id` (compatibility 11.1)

use axum::http::Method;
use quarry_world::{Response, World, insert_group, user};
use serde_json::json;

#[test]
fn administrator_updates_a_user() {
    let world = World::new();
    let bob = format!("/users/{}.json", user("bob").0);
    let shown = world.as_user("admin").put(&bob, json!({ "user": json!({"firstname": "Robert", "mail": "bob@example.net", "admin": true}) }))
        .assert_status(200)
        .json_path("/user");
    assert_eq!(
        (&shown["firstname"], &shown["mail"], &shown["admin"]),
        (&json!("Robert"), &json!("bob@example.net"), &json!(true))
    );
    world
        .as_user("admin")
        .put(&bob, json!({ "user": json!({}) }))
        .assert_status(200)
        .assert_json_path("/user/firstname", "Robert");
    world
        .as_user("admin")
        .put(
            &bob,
            json!({ "user": json!({"password": "", "status": null}) }),
        )
        .assert_status(200)
        .assert_json_path("/user/status", 1);
    world
        .anonymous()
        .basic("bob", "bobbobbob")
        .get("/users/current.json")
        .assert_status(200);
    world
        .as_user("admin")
        .put(
            &bob,
            json!({ "user": json!({"password": "robertrobert", "admin": false}) }),
        )
        .assert_status(200)
        .assert_json_path("/user/admin", false);
    world
        .anonymous()
        .basic("bob", "robertrobert")
        .get("/users/current.json")
        .assert_status(200);
    world
        .anonymous()
        .basic("bob", "bobbobbob")
        .get("/users/current.json")
        .assert_status(401);
    let body = b"<user><lastname>Builder</lastname></user>".to_vec();
    let xml = world
        .as_user("admin")
        .send(Method::PUT, "/users/3.xml", Some("application/xml"), body)
        .assert_status(200)
        .body;
    assert!(xml.contains("<lastname>Builder</lastname>"), "{xml}");
    world
        .as_user("admin")
        .put("/users/current.json", json!({"user": {"lastname": "Boss"}}))
        .assert_status(200)
        .assert_json_path("/user/id", 1);
}

fn update(world: &World, body: serde_json::Value) -> Response {
    world
        .as_user("admin")
        .put("/users/3.json", json!({ "user": body }))
}

#[test]
fn locked_user_is_logged_out_at_once_and_groups_are_replaced() {
    let world = World::new();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[user("carol")], now));
    update(&world, json!({"group_ids": [group.0]})).assert_status(200);
    assert_eq!(
        world.app.store.catalogue().unwrap().groups[&group].users,
        [user("bob"), user("carol")]
    );
    update(&world, json!({"group_ids": [group.0, 99]}))
        .assert_status(422)
        .assert_errors(&["Groups is invalid"]);
    update(&world, json!({"group_ids": []})).assert_status(200);
    assert_eq!(
        world.app.store.catalogue().unwrap().groups[&group].users,
        [user("carol")]
    );
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(200);
    update(&world, json!({"status": 3}))
        .assert_status(200)
        .assert_json_path("/user/status", 3);
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
    update(&world, json!({"status": 1})).assert_status(200);
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(200);
}

#[test]
fn last_administrator_stays_and_invalid_changes_are_refused() {
    let world = World::new();
    let last = ["The last active administrator cannot be locked, deleted or made an ordinary user"];
    world
        .as_user("admin")
        .put("/users/1.json", r#"{"user":{"admin":false}}"#)
        .assert_status(422)
        .assert_errors(&last);
    world
        .as_user("admin")
        .put("/users/1.json", r#"{"user":{"status":3}}"#)
        .assert_status(422)
        .assert_errors(&["You cannot lock your own account"]);
    world
        .as_user("admin")
        .put("/users/2.json", r#"{"user":{"login":"","mail":"x"}}"#)
        .assert_status(422)
        .assert_errors(&["Email is invalid", "Login cannot be blank"]);
    world
        .as_user("admin")
        .put("/users/2.json", r#"{"user":{"login":"bob"}}"#)
        .assert_status(422)
        .assert_errors(&["Login has already been taken"]);
    world
        .as_user("admin")
        .put("/users/2.json", r#"{"user":{"status":"x"}}"#)
        .assert_status(422)
        .assert_errors(&["Status is not included in the list"]);
    world
        .as_user("admin")
        .put("/users/2.json", r#"{"user":[]}"#)
        .assert_status(400);
    world
        .as_user("admin")
        .put("/users/99.json", "{}")
        .assert_status(404);
    world
        .as_user("admin")
        .put("/users/x.json", "{}")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/users/2.json")
        .assert_status(200)
        .assert_json_path("/user/login", "alice");
}
