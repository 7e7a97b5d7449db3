//! `DELETE /relations/:id` (compatibility 6.8)

use super::{history, relate};
use quarry_world::World;
use serde_json::json;

#[test]
fn deletion_is_recorded_in_both_issues() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    relate(
        &world,
        "alice",
        one,
        json!({"issue_to_id": other, "relation_type": "blocks"}),
    )
    .assert_status(201);
    for login in ["carol", "dave"] {
        world
            .as_user(login)
            .delete("/relations/1.json")
            .assert_status(403);
    }
    world
        .anonymous()
        .delete("/relations/1.json")
        .assert_status(401);
    let response = world
        .as_user("bob")
        .delete("/relations/1.json")
        .assert_status(204);
    assert_eq!(response.body, "");
    assert_eq!(
        history(&world, "carol", other),
        ["relation blocked - 1", "relation blocked 1 -"]
    );
    world
        .as_user("bob")
        .delete("/relations/1.xml")
        .assert_status(404);
    assert_eq!(
        world
            .as_user("bob")
            .get("/issues/1/relations.json")
            .assert_status(200)
            .body,
        "{\"relations\":[]}"
    );
}

#[test]
fn deleting_an_issue_deletes_relations_and_watchers() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    relate(&world, "alice", one, json!({"issue_to_id": other})).assert_status(201);
    world
        .as_user("alice")
        .post(
            &format!("/issues/{one}/watchers.json"),
            json!({"user_id": 3}),
        )
        .assert_status(204);
    world
        .as_user("alice")
        .delete(&format!("/issues/{one}.json"))
        .assert_status(200);
    assert_eq!(
        world
            .as_user("alice")
            .get(&format!("/issues/{other}/relations.json"))
            .assert_status(200)
            .body,
        "{\"relations\":[]}"
    );
    assert_eq!(
        history(&world, "alice", other),
        [""; 0],
        "of an issue that is gone nobody knows who might see it"
    );
}
