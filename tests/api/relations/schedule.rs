//! Rescheduling of following issues (compatibility 6.6).

use super::{history, relate};
use jiff::civil::{Date, date};
use quarry::actions::issues;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visible::Visible;
use quarry::domain::ids::{IssueId, UserId};
use quarry::domain::issues::relation::{Relation, RelationType};
use quarry::store::issues::relations;
use quarry_world::World;
use serde_json::json;

fn plan(world: &World, issue: i64, start: Option<Date>, due: Option<Date>) {
    world.edit(issue, move |issue| {
        (issue.start_date, issue.due_date) = (start, due)
    });
}

fn dates(world: &World, issue: i64) -> (String, String) {
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json_path("/issue");
    let [start, due] =
        ["start_date", "due_date"].map(|name| issue[name].as_str().unwrap_or("-").to_owned());
    (start, due)
}

fn precedes(world: &World, from: i64, to: i64, delay: i64) {
    let fields = json!({"issue_to_id": to, "relation_type": "precedes", "delay": delay});
    relate(world, "alice", from, fields).assert_status(201);
}

/// Reschedules the issues after this one as alice and returns those that moved.
fn reschedule(world: &World, issue: i64) -> Vec<i64> {
    let moved = world.write(move |db| {
        let alice = Viewer::new(db.catalogue(), Some(UserId(2)));
        issues::reschedule_successors(db, &alice, IssueId(issue))
    });
    moved.into_iter().map(|issue| issue.0).collect()
}

#[test]
fn following_issue_is_rescheduled_in_working_days() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..3).map(|_| world.issue("open").create()).collect();
    plan(
        &world,
        ids[0],
        Some(date(2024, 3, 1)),
        Some(date(2024, 3, 20)),
    );
    plan(
        &world,
        ids[1],
        Some(date(2024, 3, 13)),
        Some(date(2024, 3, 18)),
    );
    plan(&world, ids[2], None, None);
    precedes(&world, ids[1], ids[2], 0);
    assert_eq!(
        dates(&world, ids[2]),
        ("2024-03-19".to_owned(), "-".to_owned())
    );
    precedes(&world, ids[0], ids[1], 2);
    assert_eq!(
        dates(&world, ids[1]),
        ("2024-03-25".to_owned(), "2024-03-28".to_owned())
    );
    assert_eq!(
        dates(&world, ids[2]),
        ("2024-03-29".to_owned(), "-".to_owned()),
        "and so on"
    );
    let changes = history(&world, "carol", ids[1]);
    assert_eq!(
        changes[2..],
        [
            "attr due_date 2024-03-18 2024-03-28",
            "attr start_date 2024-03-13 2024-03-25"
        ]
    );
    // Repeating it changes nothing; earlier dates move back.
    assert_eq!(reschedule(&world, ids[0]), [0; 0]);
    plan(&world, ids[0], Some(date(2024, 3, 1)), None);
    assert_eq!(reschedule(&world, ids[0]), [ids[1], ids[2]]);
    assert_eq!(
        dates(&world, ids[1]),
        ("2024-03-06".to_owned(), "2024-03-11".to_owned())
    );
}

#[test]
fn latest_preceding_issue_determines_the_start() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open").create()).collect();
    for id in &ids {
        plan(&world, *id, Some(date(2024, 3, 4)), Some(date(2024, 3, 4)));
    }
    // A diamond: 1 precedes 2 and 3, both precede 4.
    precedes(&world, ids[0], ids[1], 0);
    precedes(&world, ids[0], ids[2], 5);
    precedes(&world, ids[1], ids[3], 0);
    precedes(&world, ids[2], ids[3], 0);
    assert_eq!(dates(&world, ids[3]).0, "2024-03-13");
    let id = ids[3];
    let soonest = world.write(move |db| {
        let issue = quarry::store::issues::find(db, &Visible::Everything, IssueId(id))?.unwrap();
        issues::soonest_start(db, &issue)
    });
    assert_eq!(soonest, Some(date(2024, 3, 13)));
    plan(
        &world,
        ids[0],
        Some(date(2024, 3, 5)),
        Some(date(2024, 3, 5)),
    );
    assert_eq!(reschedule(&world, ids[0]), [ids[1], ids[2], ids[3]]);
    assert_eq!(dates(&world, ids[3]).0, "2024-03-14");
    assert_eq!(
        history(&world, "alice", ids[3])
            .iter()
            .filter(|changes| changes.starts_with("attr start_date"))
            .count(),
        3,
        "moved once each time"
    );
}

#[test]
fn subtasks_are_rescheduled_with_their_parent() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..5).map(|_| world.issue("open").create()).collect();
    let first = ids[0];
    let parent = ids[1];
    let early = ids[2];
    let late = ids[3];
    let after = ids[4];
    plan(
        &world,
        first,
        Some(date(2024, 3, 4)),
        Some(date(2024, 3, 8)),
    );
    plan(
        &world,
        parent,
        Some(date(2024, 3, 4)),
        Some(date(2024, 3, 29)),
    );
    plan(
        &world,
        early,
        Some(date(2024, 3, 4)),
        Some(date(2024, 3, 5)),
    );
    plan(
        &world,
        late,
        Some(date(2024, 3, 25)),
        Some(date(2024, 3, 29)),
    );
    plan(&world, after, Some(date(2024, 3, 4)), None);
    for child in [early, late] {
        world.edit(child, move |issue| issue.parent = Some(IssueId(parent)));
    }
    precedes(&world, parent, after, 0);
    precedes(&world, first, parent, 0);
    assert_eq!(
        dates(&world, early),
        ("2024-03-11".to_owned(), "2024-03-12".to_owned())
    );
    assert_eq!(
        dates(&world, late),
        ("2024-03-25".to_owned(), "2024-03-29".to_owned()),
        "late enough"
    );
    assert_eq!(
        dates(&world, parent),
        ("2024-03-11".to_owned(), "2024-03-29".to_owned())
    );
    assert_eq!(dates(&world, after).0, "2024-04-01");
    assert!(
        !history(&world, "alice", parent)
            .iter()
            .any(|changes| changes.starts_with("attr")),
        "derived dates are not recorded"
    );
    // A rescheduled subtask moves the issues that follow its parent.
    plan(&world, late, Some(date(2024, 4, 1)), Some(date(2024, 4, 5)));
    plan(
        &world,
        parent,
        Some(date(2024, 3, 11)),
        Some(date(2024, 4, 5)),
    );
    assert_eq!(reschedule(&world, late), [after]);
    assert_eq!(dates(&world, after).0, "2024-04-08");
}

#[test]
fn imported_cycle_of_relations_terminates() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open").create()).collect();
    for id in &ids {
        plan(&world, *id, Some(date(2024, 3, 4)), Some(date(2024, 3, 4)));
    }
    let pairs = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 3)]
        .map(|(from, to)| (IssueId(ids[from]), IssueId(ids[to])));
    world.write(move |db| {
        for (from, to) in pairs {
            relations::insert(
                db,
                &Relation {
                    from,
                    to,
                    kind: RelationType::Precedes,
                    delay: Some(i64::MAX),
                    ..Relation::default()
                },
            )?;
        }
        Ok(())
    });
    reschedule(&world, ids[0]);
    let one = world.issue("open").create();
    let other = ids[0];
    let response = relate(
        &world,
        "alice",
        ids[3],
        json!({"issue_to_id": other, "relation_type": "precedes"}),
    )
    .assert_status(422);
    assert_eq!(
        response.errors(),
        ["This relation would create a circular dependency"]
    );
    precedes(&world, one, other, 0);
}

#[test]
fn long_chain_is_rescheduled() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..150).map(|_| world.issue("open").create()).collect();
    let chain = ids.clone();
    world.write(move |db| {
        for pair in chain.windows(2) {
            let from = IssueId(pair[0]);
            let to = IssueId(pair[1]);
            relations::insert(
                db,
                &Relation {
                    from,
                    to,
                    kind: RelationType::Precedes,
                    delay: Some(0),
                    ..Relation::default()
                },
            )?;
        }
        Ok(())
    });
    plan(
        &world,
        ids[0],
        Some(date(2024, 1, 1)),
        Some(date(2024, 1, 1)),
    );
    assert_eq!(reschedule(&world, ids[0]).len(), 149);
    // 149 working days after a Monday are 29 weeks and four days.
    assert_eq!(dates(&world, ids[149]).0, "2024-07-26");
    let back = relate(
        &world,
        "alice",
        ids[149],
        json!({"issue_to_id": ids[0], "relation_type": "precedes"}),
    )
    .assert_status(422);
    assert_eq!(
        back.errors(),
        ["This relation would create a circular dependency"]
    );
}
