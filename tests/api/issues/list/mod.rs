//! `GET /issues`, `GET /projects/:id/issues` (compatibility 6.3)

mod associations;
mod caches;
mod custom;
mod days;
mod fields;
mod groups;
mod hidden;
mod long_form;
mod members;
mod operators;
mod random;
mod rows;
mod saved_queries;
mod text;
mod totals;

use quarry::domain::access::visible::Visible;
use quarry::domain::ids::{EnumerationId, IssueId};
use quarry::domain::issues::time_entry::TimeEntry;
use quarry::store::issues;
use quarry::store::issues::time_entries;
use quarry_world::{World, user};
use serde_json::json;

fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let response = world
        .as_user(login)
        .get(&format!("/issues.json?{query}"))
        .assert_status(200)
        .json();
    let found: Vec<i64> = response["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect();
    let all = i64::try_from(found.len()).unwrap();
    assert!(response["total_count"].as_i64().unwrap() >= all);
    found
}

/// Returns the errors of a list that is rejected.
fn errors(world: &World, login: &str, query: &str) -> Vec<String> {
    world
        .as_user(login)
        .get(&format!("/issues.json?{query}"))
        .assert_status(422)
        .errors()
}

/// A world with five issues: 1 high and assigned to bob, 2 closed, 3 private, 4 in the private
/// project, 5 by dave.
fn filled() -> World {
    let world = World::with_projects();
    world
        .issue("open")
        .field("priority_id", 3)
        .field("assigned_to_id", 3)
        .description("alpha 100%")
        .create();
    world.issue("open").create();
    world
        .issue("open")
        .private()
        .field("tracker_id", 2)
        .create();
    world.issue("secret").create();
    world.issue("open").author("dave").create();
    world
        .as_user("alice")
        .put(
            "/issues/2.json",
            json!({"issue": {"status_id": 5, "subject": "Closed thing_x"}}),
        )
        .assert_status(200);
    world
}

#[test]
fn users_see_visible_issues_only() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "status_id=*"), [5, 4, 3, 2, 1]);
    assert_eq!(ids(&world, "bob", "status_id=*"), [5, 2, 1]);
    assert_eq!(ids(&world, "dave", ""), [5, 1]);
    assert_eq!(ids(&world, "admin", ""), [5, 4, 3, 1]);
    world.anonymous().get("/issues.json").assert_status(401);
}

#[test]
fn filters_are_combined_with_and() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "status_id=closed"), [2]);
    assert_eq!(ids(&world, "alice", "assigned_to_id=3"), [1]);
    assert_eq!(ids(&world, "bob", "assigned_to_id=me"), [1]);
    assert_eq!(
        ids(&world, "alice", "assigned_to_id=!*&tracker_id=1"),
        [5, 4]
    );
    assert_eq!(ids(&world, "alice", "author_id=5"), [5]);
    assert_eq!(ids(&world, "alice", "priority_id=3|4"), [1]);
    assert_eq!(ids(&world, "alice", "tracker_id=!2"), [5, 4, 1]);
    assert_eq!(
        ids(&world, "alice", "subject=thing_&status_id=*"),
        [2],
        "_ is a letter, not a wildcard"
    );
    assert_eq!(ids(&world, "alice", "subject=CLOSED&status_id=*"), [2]);
    assert_eq!(ids(&world, "alice", "description=~100%25"), [1]);
    assert_eq!(
        ids(&world, "alice", "created_on=%3E%3D2026-11-21"),
        [0_i64; 0]
    );
    assert_eq!(
        ids(&world, "alice", "created_on=2026-11-20&issue_id=1,5"),
        [5, 1]
    );
    assert_eq!(ids(&world, "alice", "due_date=*"), [0_i64; 0]);
    assert_eq!(ids(&world, "alice", "status_id=99"), [0_i64; 0]);
}

#[test]
fn project_limits_the_list() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "project_id=secret"), [4]);
    assert_eq!(
        world
            .as_user("alice")
            .get("/projects/secret/issues.json")
            .status,
        200
    );
    assert_eq!(
        world
            .as_user("bob")
            .get("/projects/secret/issues.json")
            .status,
        403
    );
    assert_eq!(
        world
            .as_user("bob")
            .get("/issues.json?project_id=secret")
            .status,
        403
    );
    assert_eq!(
        world
            .as_user("bob")
            .get("/issues.json?project_id=missing")
            .status,
        404
    );
    world
        .as_user("bob")
        .get("/issues.json?project_id=")
        .assert_status(422)
        .assert_errors(&["Project cannot be blank"]);
}

#[test]
fn every_column_is_sortable() {
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
fn pagination_and_totals() {
    let world = filled();
    let page = world
        .as_user("alice")
        .get("/issues.json?limit=2&offset=1")
        .assert_status(200)
        .json();
    assert_eq!(page["issues"].as_array().unwrap().len(), 2);
    assert_eq!(page["total_count"], 4);
    assert_eq!(page["offset"], 1);
    assert_eq!(page["limit"], 2);
    let past = world
        .as_user("alice")
        .get("/issues.xml?offset=1000")
        .assert_status(200)
        .body;
    assert!(
        past.ends_with(
            "<issues total_count=\"4\" offset=\"1000\" limit=\"25\" type=\"array\"></issues>"
        ),
        "{past}"
    );
    for odd in [
        "limit=0",
        "limit=-1",
        "limit=x",
        "offset=-3",
        "offset=99999999999999999999",
    ] {
        world
            .as_user("alice")
            .get(&format!("/issues.json?{odd}"))
            .assert_status(200);
    }
    world
        .as_user("alice")
        .get("/issues.json?limit=101")
        .assert_status(200)
        .assert_json_path("/limit", 100);
}

#[test]
fn invalid_values_and_unknown_filters_are_reported() {
    let world = filled();
    let alice = world.as_user("alice");
    let errors = alice
        .get("/issues.json?created_on=2024-02-30&due_date=%3E%3D")
        .assert_status(422)
        .errors();
    assert_eq!(errors, ["Created is invalid", "Due date cannot be blank"]);
    let lenient = alice.get("/issues.json?asigned_to_id=3").assert_status(200);
    assert!(
        lenient.header("warning").contains("asigned_to_id"),
        "{lenient:?}"
    );
    let strict = alice
        .get("/issues.json?asigned_to_id=3&strict=1")
        .assert_status(422)
        .errors();
    assert_eq!(
        strict,
        ["Unknown parameter asigned_to_id; did you mean assigned_to_id?"]
    );
    alice.get("/issues.json?subject[]=a").assert_status(422);
}

/// Issue 1 is a child of issue 4 in the private project and the parent of the private issue 3; both
/// have hours. The last journal of issue 5 is a private note by bob.
fn family() -> World {
    let world = filled();
    world
        .as_user("bob")
        .put(
            "/issues/5.json",
            json!({"issue": {"notes": "psst", "private_notes": true}}),
        )
        .assert_status(200);
    world.write(|db| {
        let everything = &Visible::Everything;
        let find = |id| issues::find(db, everything, IssueId(id)).map(Option::unwrap);
        let mut child = find(1)?;
        let mut grandchild = find(3)?;
        child.parent = Some(IssueId(4));
        grandchild.parent = Some(IssueId(1));
        grandchild.estimated_hours = Some(77.0);
        issues::update(db, &child)?;
        issues::update(db, &grandchild)?;
        let day = "2026-11-20".parse().unwrap();
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let project = grandchild.project;
        let issue = Some(grandchild.id);
        let activity = EnumerationId(8);
        time_entries::insert(
            db,
            &TimeEntry {
                project,
                issue,
                user: user("alice"),
                author: user("alice"),
                activity,
                hours: 5.5,
                spent_on: day,
                created_on: now,
                updated_on: now,
                ..TimeEntry::default()
            },
        )
    });
    world
}

#[test]
fn spent_hours_include_hidden_issues_but_estimates_parents_and_sorting_do_not() {
    let world = family();
    let seen = world.show_issue("alice", 1, "");
    let hidden = world.show_issue("dave", 1, "");
    assert_eq!(seen["total_estimated_hours"], 77.0);
    assert_eq!(seen["total_spent_hours"], 5.5);
    assert_eq!(
        (
            hidden["total_estimated_hours"].as_f64(),
            hidden["total_spent_hours"].as_f64()
        ),
        (None, Some(5.5))
    );
    assert_eq!(
        (seen["parent"]["id"].as_i64(), hidden.get("parent")),
        (Some(4), None)
    );
    assert_eq!(
        ids(&world, "alice", "sort=total_estimated_hours:desc&limit=2"),
        [4, 3]
    );
    assert_eq!(
        (
            ids(&world, "dave", "sort=parent:desc"),
            ids(&world, "dave", "sort=parent")
        ),
        (vec![5, 1], vec![1, 5]),
        "by tree"
    );
    for column in ["total_estimated_hours", "spent_hours", "last_updated_by"] {
        assert_eq!(
            ids(&world, "dave", &format!("sort={column}:desc")),
            [5, 1],
            "{column}"
        );
        assert_eq!(
            ids(&world, "dave", &format!("sort={column}")),
            [5, 1],
            "{column}"
        );
    }
}

#[test]
fn cycle_of_parents_can_be_read_and_deleted() {
    let world = family();
    world.write(|db| {
        let mut top = issues::find(db, &Visible::Everything, IssueId(4))?.unwrap();
        top.parent = Some(IssueId(3));
        issues::update(db, &top)
    });
    assert_eq!(
        ids(&world, "alice", "sort=total_estimated_hours,parent").len(),
        4
    );
    world
        .as_user("alice")
        .delete("/issues/1.json")
        .assert_status(200);
    assert_eq!(ids(&world, "alice", "status_id=*"), [5, 2]);
}

#[test]
fn extreme_dates_and_long_filters_are_accepted() {
    let world = filled();
    assert_eq!(
        ids(&world, "alice", "created_on=%3C%3D9999-12-31"),
        [5, 4, 3, 1]
    );
    assert_eq!(
        ids(&world, "alice", "created_on=%3E%3D9999-12-31"),
        [0_i64; 0]
    );
    assert_eq!(
        ids(&world, "alice", "created_on=%3E%3D0001-01-01"),
        [5, 4, 3, 1]
    );
    for text in [
        "_".repeat(30_000),
        format!("~{}", "ab+".repeat(1_100)),
        format!("!~{}", "a+".repeat(600)),
    ] {
        let errors = world
            .as_user("alice")
            .get(&format!("/issues.json?subject={text}"))
            .assert_status(422)
            .errors();
        assert_eq!(
            errors,
            ["Subject filter is too long (at most 1000 characters and 50 words)"]
        );
    }
}

#[test]
fn user_without_projects_gets_an_empty_list() {
    let world = World::new();
    assert_eq!(ids(&world, "admin", ""), [0_i64; 0]);
    assert_eq!(ids(&world, "dave", ""), [0_i64; 0]);
    let nowhere = world
        .as_user("admin")
        .post("/issues.json", json!({"issue": {"subject": "x"}}))
        .assert_status(422);
    assert_eq!(nowhere.errors()[0], "Project cannot be blank");
}
