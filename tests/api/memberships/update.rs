//! `PUT /memberships/:id`

use super::{members, row};
use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::json;

fn update(world: &World, id: i64, body: &str) -> Response {
    world
        .as_user("alice")
        .put(&format!("/memberships/{id}.json"), body)
}

#[test]
fn roles_of_a_member_are_replaced_with_effect_at_once() {
    let world = World::with_projects();
    world
        .as_user("carol")
        .put(
            "/projects/open/wiki/Page.json",
            json!({"wiki_page": {"text": "x"}}),
        )
        .assert_status(403);
    let changed = update(&world, 3, r#"{"membership":{"role_ids":[4,5]}}"#).assert_status(200);
    assert_eq!(
        changed.json_path("/membership/roles"),
        json!([{"id": 5, "name": "Reporter"}, {"id": 4, "name": "Developer"}])
    );
    world
        .as_user("carol")
        .put(
            "/projects/open/wiki/Page.json",
            json!({"wiki_page": {"text": "x"}}),
        )
        .assert_status(201);
    let body = b"<membership><role_ids type=\"array\"><role_id>5</role_id></role_ids></membership>"
        .to_vec();
    let xml = world
        .as_user("alice")
        .send(
            Method::PUT,
            "/memberships/3.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with(
            "<roles type=\"array\"><role id=\"5\" name=\"Reporter\"/></roles></membership>"
        ),
        "{xml}"
    );
    world
        .as_user("carol")
        .put(
            "/projects/open/wiki/Page.json",
            json!({"wiki_page": {"text": "y"}}),
        )
        .assert_status(403);
    update(&world, 3, "{}").assert_status(200);
    update(
        &world,
        3,
        r#"{"membership":{"role_ids":[5],"user_id":5,"project_id":2}}"#,
    )
    .assert_status(200)
    .assert_json_path("/membership/user/id", 4);
    assert_eq!(
        members(&world, "open")[2],
        row(3, "carol Tester", "Reporter")
    );
}

#[test]
fn invalid_roles_are_refused() {
    let world = World::with_projects();
    for body in [
        r#"{"membership":{}}"#,
        r#"{"membership":{"role_ids":[]}}"#,
        r#"{"membership":{"user_id":5}}"#,
        r#"{"membership":{"role_ids":[99]}}"#,
    ] {
        update(&world, 2, body)
            .assert_status(422)
            .assert_errors(&["Role cannot be empty"]);
    }
    update(&world, 2, r#"{"membership":{"role_ids":[5,99]}}"#)
        .assert_status(422)
        .assert_errors(&["Role is invalid"]);
    update(&world, 2, r#"{"membership":{"role_ids":{}}}"#).assert_status(422);
    update(&world, 2, r#"{"membership":"x"}"#).assert_status(400);
    update(&world, 2, "[").assert_status(400);
    world
        .as_user("alice")
        .put("/memberships/99.json", json!({}))
        .assert_status(404);
    assert_eq!(
        members(&world, "open")[1],
        row(2, "bob Tester", "Developer")
    );
}
