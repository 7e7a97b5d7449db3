//! Every write eight times concurrently: nothing is lost or done twice.

use quarry_world::World;
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

fn post(world: &World, fields: Value) -> u16 {
    world
        .as_user("alice")
        .post("/issues.json", json!({"issue": fields}))
        .status
}

fn update(world: &World, id: i64, fields: Value) -> u16 {
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
        .status
}

#[test]
fn eight_concurrent_creates_get_distinct_ids() {
    let world = World::with_projects();
    assert_eq!(
        eight(|turn| post(
            &world,
            json!({"project_id": "open", "subject": format!("Number {turn}")})
        )),
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
    assert_eq!(
        eight(|turn| update(
            &world,
            id,
            json!({"lock_version": 0, "subject": format!("Turn {turn}")})
        )),
        HashMap::from([(200, 1), (422, 7)])
    );
    assert_eq!(journals(&world, id), 1);
}

#[test]
fn concurrent_notes_are_all_kept_and_equal_changes_recorded_once() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    assert_eq!(
        eight(|turn| update(&world, id, json!({"notes": format!("note {turn}")}))),
        HashMap::from([(200, 8)])
    );
    assert_eq!(journals(&world, id), 8);
    assert_eq!(
        eight(|_| update(&world, id, json!({"status_id": 5}))),
        HashMap::from([(200, 8)])
    );
    assert_eq!(journals(&world, id), 9, "who comes later changes nothing");
}

#[test]
fn one_of_eight_deletes_succeeds() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    assert_eq!(
        eight(|_| world
            .as_user("alice")
            .delete(&format!("/issues/{id}.json"))
            .status),
        HashMap::from([(200, 1), (404, 7)])
    );
}

#[test]
fn concurrent_subtasks_are_summed_up() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    assert_eq!(
        eight(|turn| post(
            &world,
            json!({"project_id": "open", "subject": "Part", "parent_issue_id": parent, "estimated_hours": turn, "done_ratio": 50})
        )),
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
    assert_eq!(
        eight(|turn| {
            let (id, parent) = if turn.is_multiple_of(2) {
                (one, other)
            } else {
                (other, one)
            };
            update(&world, id, json!({"parent_issue_id": parent}))
        }),
        HashMap::from([(200, 4), (422, 4)])
    );
}
