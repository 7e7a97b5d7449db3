//! Every write eight times concurrently: nothing is lost or done twice.

use crate::world::World;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Runs eight requests at once and counts their statuses.
fn eight(send: impl Fn(usize) -> u16 + Sync) -> HashMap<u16, usize> {
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|turn| {
                scope.spawn({
                    let send = &send;
                    move || send(turn)
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut counted = HashMap::new();
    statuses
        .into_iter()
        .for_each(|status| *counted.entry(status).or_default() += 1);
    counted
}

fn journals(world: &World, id: i64) -> usize {
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals"))
        .assert_status(200)
        .json();
    issue["issue"]["journals"].as_array().unwrap().len()
}

#[test]
fn eight_concurrent_creates_get_distinct_ids() {
    let world = World::with_projects();
    let body =
        |turn: usize| json!({"issue": {"project_id": "open", "subject": format!("Number {turn}")}});
    assert_eq!(
        eight(|turn| world
            .as_user("alice")
            .post("/issues.json", body(turn))
            .status),
        HashMap::from([(201, 8)])
    );
    world
        .as_user("alice")
        .get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 8);
    world
        .as_user("alice")
        .get("/search.json?q=number")
        .assert_status(200)
        .assert_json_path("/total_count", 8);
}

#[test]
fn one_of_eight_updates_with_the_same_lock_version_succeeds() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let body =
        |turn: usize| json!({"issue": {"lock_version": 0, "subject": format!("Turn {turn}")}});
    let put = |turn: usize| {
        world
            .as_user("alice")
            .put(&format!("/issues/{id}.json"), body(turn))
            .status
    };
    assert_eq!(eight(put), HashMap::from([(200, 1), (422, 7)]));
    assert_eq!(journals(&world, id), 1);
}

#[test]
fn concurrent_notes_are_all_kept_and_equal_changes_recorded_once() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let put = |fields: Value| {
        world
            .as_user("alice")
            .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
            .status
    };
    assert_eq!(
        eight(|turn| put(json!({"notes": format!("note {turn}")}))),
        HashMap::from([(200, 8)])
    );
    assert_eq!(journals(&world, id), 8);
    assert_eq!(
        eight(|_| put(json!({"status_id": 5}))),
        HashMap::from([(200, 8)])
    );
    assert_eq!(journals(&world, id), 9, "who comes later changes nothing");
}

#[test]
fn one_of_eight_deletes_succeeds() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let delete = |_| {
        world
            .as_user("alice")
            .delete(&format!("/issues/{id}.json"))
            .status
    };
    assert_eq!(eight(delete), HashMap::from([(200, 1), (404, 7)]));
}

#[test]
fn concurrent_subtasks_are_summed_up() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    let body = |turn: usize| {
        let fields = json!({"project_id": "open", "subject": "Part", "parent_issue_id": parent, "estimated_hours": turn, "done_ratio": 50});
        json!({"issue": fields})
    };
    assert_eq!(
        eight(|turn| world
            .as_user("alice")
            .post("/issues.json", body(turn))
            .status),
        HashMap::from([(201, 8)])
    );
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{parent}.json?include=children"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["children"].as_array().unwrap().len(), 8);
    assert_eq!(issue["total_estimated_hours"], 28.0);
    assert_eq!(issue["done_ratio"], 50);
}

#[test]
fn concurrent_updates_cannot_create_a_parent_cycle() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    let put = |turn: usize| {
        let (id, parent) = if turn.is_multiple_of(2) {
            (one, other)
        } else {
            (other, one)
        };
        world
            .as_user("alice")
            .put(
                &format!("/issues/{id}.json"),
                json!({"issue": {"parent_issue_id": parent}}),
            )
            .status
    };
    assert_eq!(eight(put), HashMap::from([(200, 4), (422, 4)]));
}
