//! Every write eight times at once: nothing is lost, nothing is done twice, nothing breaks.

use super::{world, write};
use crate::world::World;
use std::collections::HashMap;

/// The statuses of eight requests at once, with how often each came.
fn eight(ask: impl Fn(usize) -> u16 + Sync) -> HashMap<u16, usize> {
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|turn| {
                scope.spawn({
                    let ask = &ask;
                    move || ask(turn)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut counted = HashMap::new();
    statuses.into_iter().for_each(|status| *counted.entry(status).or_default() += 1);
    counted
}

fn journals(world: &World, id: i64) -> usize {
    let issue = world.as_user("alice").get(&format!("/issues/{id}.json?include=journals")).expect(200).json();
    issue["issue"]["journals"].as_array().unwrap().len()
}

#[test]
fn eight_new_issues_have_eight_numbers() {
    let world = world();
    let body = |turn: usize| format!("{{\"issue\":{{\"project_id\":\"open\",\"subject\":\"Number {turn}\"}}}}");
    assert_eq!(eight(|turn| world.as_user("alice").post("/issues.json", &body(turn)).status), HashMap::from([(201, 8)]));
    assert_eq!(world.as_user("alice").get("/issues.json").expect(200).json()["total_count"], 8);
    assert_eq!(world.as_user("alice").get("/search.json?q=number").expect(200).json()["total_count"], 8);
}

#[test]
fn of_eight_changes_of_the_same_issue_one_wins_when_they_say_what_they_read() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let body = |turn: usize| format!("{{\"issue\":{{\"lock_version\":0,\"subject\":\"Turn {turn}\"}}}}");
    let put = |turn: usize| world.as_user("alice").put(&format!("/issues/{id}.json"), &body(turn)).status;
    assert_eq!(eight(put), HashMap::from([(200, 1), (422, 7)]));
    assert_eq!(journals(&world, id), 1);
}

#[test]
fn eight_notes_are_eight_notes_and_eight_equal_changes_one() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let put = |body: &str| world.as_user("alice").put(&format!("/issues/{id}.json"), body).status;
    assert_eq!(eight(|turn| put(&format!("{{\"issue\":{{\"notes\":\"note {turn}\"}}}}"))), HashMap::from([(200, 8)]));
    assert_eq!(journals(&world, id), 8);
    assert_eq!(eight(|_| put(r#"{"issue":{"status_id":5}}"#)), HashMap::from([(200, 8)]));
    assert_eq!(journals(&world, id), 9, "who comes later changes nothing");
}

#[test]
fn an_issue_is_deleted_once() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let delete = |_| world.as_user("alice").delete(&format!("/issues/{id}.json")).status;
    assert_eq!(eight(delete), HashMap::from([(200, 1), (404, 7)]));
}

#[test]
fn eight_parts_at_once_make_one_sum() {
    let world = world();
    let parent = write(&world, "alice", "open", "");
    let more = |turn: usize| format!("\"parent_issue_id\":{parent},\"estimated_hours\":{turn},\"done_ratio\":50");
    let body = |turn: usize| format!("{{\"issue\":{{\"project_id\":\"open\",\"subject\":\"Part\",{}}}}}", more(turn));
    assert_eq!(eight(|turn| world.as_user("alice").post("/issues.json", &body(turn)).status), HashMap::from([(201, 8)]));
    let issue = world.as_user("alice").get(&format!("/issues/{parent}.json?include=children")).expect(200).json()["issue"].clone();
    assert_eq!(issue["children"].as_array().unwrap().len(), 8);
    assert_eq!((issue["total_estimated_hours"].as_f64(), issue["done_ratio"].as_i64()), (Some(28.0), Some(50)));
}

#[test]
fn two_issues_never_become_part_of_each_other() {
    let world = world();
    let (one, other) = (write(&world, "alice", "open", ""), write(&world, "alice", "open", ""));
    let put = |turn: usize| {
        let (id, parent) = if turn.is_multiple_of(2) { (one, other) } else { (other, one) };
        world.as_user("alice").put(&format!("/issues/{id}.json"), &format!("{{\"issue\":{{\"parent_issue_id\":{parent}}}}}")).status
    };
    assert_eq!(eight(put), HashMap::from([(200, 4), (422, 4)]));
}
