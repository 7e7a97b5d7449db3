//! `GET /issues`, `GET /projects/:id/issues` (contract 4.3)

use super::{world, write};
use crate::world::World;

fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let answer = world.as_user(login).get(&format!("/issues.json?{query}")).expect(200).json();
    let found: Vec<i64> = answer["issues"].as_array().unwrap().iter().map(|issue| issue["id"].as_i64().unwrap()).collect();
    let all = i64::try_from(found.len()).unwrap();
    assert!(answer["total_count"].as_i64().unwrap() >= all);
    found
}

/// Five issues: 1 high for bob, 2 closed, 3 private, 4 in the private project, 5 by dave.
fn filled() -> World {
    let world = world();
    write(&world, "alice", "open", r#","priority_id":3,"assigned_to_id":3,"description":"alpha 100%""#);
    write(&world, "alice", "open", "");
    write(&world, "alice", "open", r#","is_private":true,"tracker_id":2"#);
    write(&world, "alice", "secret", "");
    write(&world, "dave", "open", "");
    let _ = world.as_user("alice").put("/issues/2.json", r#"{"issue":{"status_id":5,"subject":"Closed thing_x"}}"#).expect(200);
    world
}

#[test]
fn everybody_sees_what_is_theirs_to_see() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "status_id=*"), [5, 4, 3, 2, 1]);
    assert_eq!(ids(&world, "bob", "status_id=*"), [5, 2, 1]);
    assert_eq!(ids(&world, "dave", ""), [5, 1]);
    assert_eq!(ids(&world, "admin", ""), [5, 4, 3, 1]);
    let _ = world.anonymous().get("/issues.json").expect(401);
}

#[test]
fn filters_join() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "status_id=closed"), [2]);
    assert_eq!(ids(&world, "alice", "assigned_to_id=3"), [1]);
    assert_eq!(ids(&world, "bob", "assigned_to_id=me"), [1]);
    assert_eq!(ids(&world, "alice", "assigned_to_id=!*&tracker_id=1"), [5, 4]);
    assert_eq!(ids(&world, "alice", "author_id=5"), [5]);
    assert_eq!(ids(&world, "alice", "priority_id=3|4"), [1]);
    assert_eq!(ids(&world, "alice", "tracker_id=!2"), [5, 4, 1]);
    assert_eq!(ids(&world, "alice", "subject=thing_&status_id=*"), [2], "_ is a letter, not a wildcard");
    assert_eq!(ids(&world, "alice", "subject=CLOSED&status_id=*"), [2]);
    assert_eq!(ids(&world, "alice", "description=~100%25"), [1]);
    assert_eq!(ids(&world, "alice", "created_on=%3E%3D2026-11-21"), [0_i64; 0]);
    assert_eq!(ids(&world, "alice", "created_on=2026-11-20&issue_id=1,5"), [5, 1]);
    assert_eq!(ids(&world, "alice", "due_date=*"), [0_i64; 0]);
    assert_eq!(ids(&world, "alice", "status_id=99"), [0_i64; 0]);
}

#[test]
fn a_project_is_a_place() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "project_id=secret"), [4]);
    let get = |login: &str, path: &str| world.as_user(login).get(path).status;
    assert_eq!(get("alice", "/projects/secret/issues.json"), 200);
    assert_eq!(get("bob", "/projects/secret/issues.json"), 403);
    assert_eq!(get("bob", "/issues.json?project_id=secret"), 403);
    assert_eq!(get("bob", "/issues.json?project_id=missing"), 404);
    assert_eq!(world.as_user("bob").get("/issues.json?project_id=").expect(422).errors(), ["Project cannot be blank"]);
}

#[test]
fn every_column_sorts() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "sort=priority:desc,id"), [1, 3, 4, 5]);
    let columns = "id project tracker parent status priority subject author assigned_to updated_on category fixed_version start_date due_date \
                   estimated_hours total_estimated_hours spent_hours done_ratio created_on closed_on is_private last_updated_by";
    for column in columns.split_whitespace() {
        for suffix in ["", ":desc"] {
            let mut found = ids(&world, "alice", &format!("sort={column}{suffix}"));
            found.sort_unstable();
            assert_eq!(found, [1, 3, 4, 5], "{column}{suffix}");
        }
    }
    assert_eq!(ids(&world, "alice", "sort=nonsense"), [5, 4, 3, 1]);
}

#[test]
fn lists_have_pages_and_totals() {
    let world = filled();
    let page = world.as_user("alice").get("/issues.json?limit=2&offset=1").expect(200).json();
    assert_eq!(page["issues"].as_array().unwrap().len(), 2);
    assert_eq!((page["total_count"].as_i64(), page["offset"].as_i64(), page["limit"].as_i64()), (Some(4), Some(1), Some(2)));
    let past = world.as_user("alice").get("/issues.xml?offset=1000").expect(200).body;
    assert!(past.ends_with("<issues total_count=\"4\" offset=\"1000\" limit=\"25\" type=\"array\"></issues>"), "{past}");
    for odd in ["limit=0", "limit=-1", "limit=x", "offset=-3", "offset=99999999999999999999"] {
        let _ = world.as_user("alice").get(&format!("/issues.json?{odd}")).expect(200);
    }
    assert_eq!(world.as_user("alice").get("/issues.json?limit=101").expect(200).json()["limit"], 100);
}

#[test]
fn wrong_values_are_named_and_unknown_filters_pointed_out() {
    let world = filled();
    let alice = world.as_user("alice");
    let errors = alice.get("/issues.json?created_on=2024-02-30&due_date=%3E%3D").expect(422).errors();
    assert_eq!(errors, ["Created is invalid", "Due date cannot be blank"]);
    let lenient = alice.get("/issues.json?asigned_to_id=3").expect(200);
    assert!(lenient.warning.contains("asigned_to_id"), "{lenient:?}");
    let strict = alice.get("/issues.json?asigned_to_id=3&strict=1").expect(422).errors();
    assert_eq!(strict, ["Unknown filter asigned_to_id; did you mean assigned_to_id?"]);
    let _ = alice.get("/issues.json?subject[]=a").expect(422);
}
