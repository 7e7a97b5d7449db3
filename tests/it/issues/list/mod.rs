//! `GET /issues`, `GET /projects/:id/issues` (contract 4.3)

mod custom;
mod fields;
mod hidden;
mod long;
mod random;
mod remembered;
mod rows;
mod totals;

use super::{world, write};
use crate::world::{World, user};
use quarry::domain::ids::{EnumerationId, IssueId, TimeEntryId};
use quarry::domain::time_entry::TimeEntry;
use quarry::domain::visibility::Visible;
use quarry::store::{issues, time_entries};

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
    assert_eq!(strict, ["Unknown parameter asigned_to_id; did you mean assigned_to_id?"]);
    let _ = alice.get("/issues.json?subject[]=a").expect(422);
}

/// Issue 1 is below issue 4 of the private project and above issue 3, which is private; both have hours. The last to write on
/// issue 5 was bob, in a private note.
fn family() -> World {
    let world = filled();
    let _ = world.as_user("bob").put("/issues/5.json", r#"{"issue":{"notes":"psst","private_notes":true}}"#).expect(200);
    world.write(|db| {
        let everything = &Visible::Everything;
        let find = |id| issues::find(db, everything, IssueId(id)).map(Option::unwrap);
        let (mut child, mut grandchild) = (find(1)?, find(3)?);
        child.parent = Some(IssueId(4));
        grandchild.parent = Some(IssueId(1));
        grandchild.estimated_hours = Some(77.0);
        issues::change(db, &child)?;
        issues::change(db, &grandchild)?;
        let day = "2026-11-20".parse().unwrap();
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let (project, issue, activity) = (grandchild.project, Some(grandchild.id), EnumerationId(8));
        time_entries::insert(
            db,
            &TimeEntry {
                id: TimeEntryId(0),
                project,
                issue,
                user: user("alice"),
                author: user("alice"),
                activity,
                hours: 5.5,
                comments: None,
                spent_on: day,
                created_on: now,
                updated_on: now,
            },
        )
    });
    world
}

#[test]
fn sums_parents_and_orders_know_nothing_of_hidden_issues() {
    let world = family();
    let show = |login: &str, id: i64| world.as_user(login).get(&format!("/issues/{id}.json")).expect(200).json()["issue"].clone();
    let (seen, hidden) = (show("alice", 1), show("dave", 1));
    assert_eq!((seen["total_estimated_hours"].as_f64(), seen["total_spent_hours"].as_f64()), (Some(77.0), Some(5.5)));
    assert_eq!((hidden["total_estimated_hours"].as_f64(), hidden["total_spent_hours"].as_f64()), (None, Some(0.0)));
    assert_eq!((seen["parent"]["id"].as_i64(), hidden.get("parent")), (Some(4), None));
    assert_eq!(ids(&world, "alice", "sort=total_estimated_hours:desc&limit=2"), [4, 3]);
    assert_eq!((ids(&world, "dave", "sort=parent:desc"), ids(&world, "dave", "sort=parent")), (vec![5, 1], vec![1, 5]), "by tree");
    for column in ["total_estimated_hours", "spent_hours", "last_updated_by"] {
        assert_eq!(ids(&world, "dave", &format!("sort={column}:desc")), [5, 1], "{column}");
        assert_eq!(ids(&world, "dave", &format!("sort={column}")), [5, 1], "{column}");
    }
}

#[test]
fn a_circle_of_parents_can_be_read_and_deleted() {
    let world = family();
    world.write(|db| {
        let mut top = issues::find(db, &Visible::Everything, IssueId(4))?.unwrap();
        top.parent = Some(IssueId(3));
        issues::change(db, &top)
    });
    assert_eq!(ids(&world, "alice", "sort=total_estimated_hours,parent").len(), 4);
    let _ = world.as_user("alice").delete("/issues/1.json").expect(200);
    assert_eq!(ids(&world, "alice", "status_id=*"), [5, 2]);
}

#[test]
fn the_ends_of_time_and_very_long_filters_are_answered() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "created_on=%3C%3D9999-12-31"), [5, 4, 3, 1]);
    assert_eq!(ids(&world, "alice", "created_on=%3E%3D9999-12-31"), [0_i64; 0]);
    assert_eq!(ids(&world, "alice", "created_on=%3E%3D0001-01-01"), [5, 4, 3, 1]);
    for text in ["_".repeat(30_000), format!("~{}", "ab+".repeat(1_100)), format!("!~{}", "a+".repeat(600))] {
        let errors = world.as_user("alice").get(&format!("/issues.json?subject={text}")).expect(422).errors();
        assert_eq!(errors, ["Subject filter is too long (at most 1000 characters and 50 words)"]);
    }
}

#[test]
fn who_sees_no_project_yet_gets_an_empty_list() {
    let world = World::new();
    assert_eq!(ids(&world, "admin", ""), [0_i64; 0]);
    assert_eq!(ids(&world, "dave", ""), [0_i64; 0]);
    let nowhere = world.as_user("admin").post("/issues.json", r#"{"issue":{"subject":"x"}}"#).expect(422);
    assert_eq!(nowhere.errors()[0], "Project cannot be blank");
}
