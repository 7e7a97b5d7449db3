//! `POST /groups/:id/users`, `DELETE /groups/:id/users`, `DELETE /groups/:id/users/:user_id`

use super::{create, users_of};
use axum::http::Method;
use quarry_world::{Response, World};

fn post(world: &World, body: &str) -> Response {
    world.as_user("admin").post("/groups/7/users.json", body)
}

#[test]
fn users_are_added_and_removed() {
    let world = World::new();
    create(&world, serde_json::json!({"name": "Quality"})).assert_status(201);
    assert_eq!(post(&world, r#"{"user_id":5}"#).assert_status(204).body, "");
    post(&world, r#"{"user_ids":[5,"3"]}"#).assert_status(204);
    assert_eq!(users_of(&world, 7), [3, 5]);
    let body = b"<user_id>4</user_id>".to_vec();
    world
        .as_user("admin")
        .send(
            Method::POST,
            "/groups/7/users.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(204);
    assert_eq!(users_of(&world, 7), [3, 4, 5]);
    world
        .as_user("admin")
        .delete("/groups/7/users/3.json")
        .assert_status(204);
    world
        .as_user("admin")
        .delete("/groups/7/users/3.json")
        .assert_status(204);
    assert_eq!(users_of(&world, 7), [4, 5]);
    world
        .as_user("admin")
        .delete("/groups/7/users.json?user_ids[]=4&user_ids[]=5")
        .assert_status(204);
    assert_eq!(users_of(&world, 7), [0; 0]);
}

#[test]
fn unknown_users_and_groups_are_refused() {
    let world = World::new();
    create(
        &world,
        serde_json::json!({"name": "Quality", "user_ids": [3]}),
    )
    .assert_status(201);
    for body in [
        r#"{"user_id":3}"#,
        r#"{"user_id":99}"#,
        "{}",
        r#"{"user_id":"x"}"#,
        r#"{"user_ids":[4,99]}"#,
        r#"{"user_id":{}}"#,
    ] {
        post(&world, body)
            .assert_status(422)
            .assert_errors(&["User is invalid"]);
    }
    post(&world, "{").assert_status(400);
    assert_eq!(users_of(&world, 7), [3], "nothing is half done");
    world
        .as_user("admin")
        .delete("/groups/7/users/99.json")
        .assert_status(404);
    world
        .as_user("admin")
        .delete("/groups/7/users/x.json")
        .assert_status(404);
    world
        .as_user("admin")
        .delete("/groups/7/users.json?user_ids[]=3&user_ids[]=99")
        .assert_status(404);
    world
        .as_user("admin")
        .post("/groups/9/users.json", r#"{"user_id":3}"#)
        .assert_status(404);
    world
        .as_user("admin")
        .delete("/groups/9/users/3.json")
        .assert_status(404);
    assert_eq!(users_of(&world, 7), [3]);
    let many: Vec<String> = (0..1001).map(|id| id.to_string()).collect();
    post(&world, &format!("{{\"user_ids\":[{}]}}", many.join(","))).assert_status(422);
}
