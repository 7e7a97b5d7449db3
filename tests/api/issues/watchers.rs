//! Who becomes a watcher of a new issue.

use super::rules::{show, update};
use quarry_world::{Response, World};
use serde_json::json;

fn post_with_watcher(world: &World, watcher: i64) -> Response {
    let body =
        json!({"issue": {"project_id": "open", "subject": "x", "watcher_user_ids": [watcher]}});
    world.as_user("alice").post("/issues.json", &body)
}

#[test]
fn author_becomes_watcher_if_permitted() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .author("bob")
        .field("watcher_user_ids", json!([2]))
        .create();
    assert_eq!(
        show(&world, id)["watchers"],
        json!([]),
        "developers may not add watchers"
    );
    update(&world, "bob", id, json!({"notes": "mine"}));
    update(&world, "alice", id, json!({"notes": "mine too"}));
    assert_eq!(
        show(&world, id)["watchers"],
        json!([{"id": 2, "name": "alice Tester"}])
    );
    let id = world
        .issue("open")
        .field("watcher_user_ids", json!([3, "4", 3]))
        .create();
    assert_eq!(
        show(&world, id)["watchers"],
        json!([{"id": 3, "name": "bob Tester"}, {"id": 4, "name": "carol Tester"}])
    );
    post_with_watcher(&world, 99).assert_status(404);
    post_with_watcher(&world, 6)
        .assert_status(422)
        .assert_errors(&["Watchers is invalid"]);
}

fn post_watched_thing(world: &World, watcher: i64) -> Response {
    world.as_user("alice").post("/issues.json", json!({"issue": {"project_id": "open", "subject": "A thing", "watcher_user_ids": [watcher]}}))
}

#[test]
fn users_hidden_from_the_viewer_cannot_be_watchers() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    // Bob is a member here.
    post_watched_thing(&world, 3).assert_status(201);
    let rejected: Vec<String> = [1, 5, 6, 9999]
        .into_iter()
        .map(|unknown| post_watched_thing(&world, unknown).assert_status(404).body)
        .collect();
    assert!(
        rejected.iter().all(|text| *text == rejected[0]),
        "the administrator, who is a member of nothing, who is locked, nobody"
    );
    let id = world.issue("open").create();
    for unknown in [5, 6, 9999] {
        world
            .as_user("alice")
            .delete(&format!("/issues/{id}/watchers/{unknown}.json"))
            .assert_status(404);
    }
}
