//! Totals from sets in memory and pages from the cheapest plan equal those from the issues table.

use quarry::domain::access::role::IssuesVisibility;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::ids::{IssueId, PrincipalId, ProjectId, StatusId};
use quarry::domain::issues::issue::Issue;
use quarry::domain::query::columns::{Column, Criterion};
use quarry::domain::query::filter::Predicate;
use quarry::domain::query::issues::{Condition, Field};
use quarry::store::issues::{self, IssueQuery};
use quarry::store::{Read, StoreError};
use quarry_world::only_on_sqlite;
use quarry_world::{DEVELOPER, MANAGER, World, user};

const EVERYBODY: [Option<&str>; 6] = [
    Some("admin"),
    Some("alice"),
    Some("bob"),
    Some("carol"),
    Some("dave"),
    None,
];

fn status_condition(predicate: Predicate) -> Condition {
    Condition {
        field: Field::Status,
        predicate,
    }
}

fn requested() -> Vec<Vec<Condition>> {
    vec![
        vec![],
        vec![status_condition(Predicate::Open)],
        vec![status_condition(Predicate::Closed)],
        vec![status_condition(Predicate::OneOf(vec![1, 5, 77]))],
        vec![
            status_condition(Predicate::NoneOf(vec![1])),
            status_condition(Predicate::Open),
        ],
    ]
}

/// Returns all totals for all users.
fn totals(db: &Read<'_>) -> Result<Vec<i64>, StoreError> {
    let mut totals = Vec::new();
    for login in EVERYBODY {
        let viewer = Viewer::new(db.catalogue(), login.map(user));
        let visible = visibility::issues(&viewer);
        for conditions in requested() {
            let page = IssueQuery {
                viewer: &viewer,
                visible,
                project: None,
                conditions: &conditions,
                order: &[],
                offset: 0,
                limit: 1,
            };
            totals.push(issues::count(db, &page)?);
        }
    }
    Ok(totals)
}

/// Compares the cached counts with those of a transaction, which uses no cache.
#[track_caller]
fn agree(world: &World) -> Vec<i64> {
    let summed = world.app.store.read(totals).unwrap();
    let requested = world.write(|db| totals(db));
    assert_eq!(summed, requested);
    summed
}

#[test]
fn totals_follow_every_write() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET issues_visibility = 'own' WHERE id = 5"); // carol, in `open`, sees what is her own
    assert_eq!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .role(quarry_world::REPORTER)
            .unwrap()
            .issues_visibility,
        IssuesVisibility::Own
    );
    let mut seen = vec![agree(&world)];
    let mut next = |world: &World| {
        let now = agree(world);
        assert_ne!(seen.last(), Some(&now), "what was written changes a total");
        seen.push(now);
    };
    let first = world.issue("open").create();
    let second = world.issue("open").author("bob").create();
    next(&world);
    world.edit(first, |issue| issue.status = StatusId(5));
    next(&world);
    world.edit(second, |issue| issue.private = true);
    next(&world);
    world.edit(first, |issue| issue.private = true);
    next(&world);
    world.edit(first, |issue| issue.assignee = Some(PrincipalId(4)));
    next(&world);
    world.edit(second, |issue| {
        (issue.project, issue.assignee) = (ProjectId(2), Some(PrincipalId(3)))
    });
    next(&world);
    world
        .issue("open")
        .author("carol")
        .field("is_private", false)
        .create();
    next(&world);
    world
        .as_user("alice")
        .delete(&format!("/issues/{first}.json"))
        .assert_status(200);
    next(&world);
    world.issue("open").create();
    next(&world);
    world.sql("UPDATE roles SET issues_visibility = 'all' WHERE id = 5");
    next(&world);
    world
        .as_user("admin")
        .delete("/projects/2.json")
        .assert_status(200);
    next(&world);
}

#[test]
fn rolled_back_writes_are_not_counted() {
    let world = World::with_projects();
    world.issue("open").create();
    let before = agree(&world);
    let undone: Result<(), StoreError> = world.app.store.write(|db| {
        let mut issue = issues::find_any(db, IssueId(1))?.unwrap();
        issue.id = IssueId(0);
        issues::insert(db, &issue)?;
        assert_ne!(
            totals(db)?,
            totals_of_nothing(),
            "the transaction sees its own"
        );
        Err(StoreError::Closed)
    });
    assert!(undone.is_err());
    assert_eq!(agree(&world), before);
}

fn totals_of_nothing() -> Vec<i64> {
    vec![0; EVERYBODY.len() * requested().len()]
}

/// A world with 60 projects of 40 issues each; bob is a member of one, alice of all.
fn many() -> World {
    let world = World::new();
    for number in 0..60 {
        let project = world
            .project(&format!("p{number}"))
            .private()
            .member("alice", MANAGER);
        if number == 7 {
            project.member("bob", DEVELOPER)
        } else {
            project
        }
        .create();
    }
    let some = world.issue("p0").create();
    world.write(move |db| {
        let issue = issues::find_any(db, IssueId(some))?.unwrap();
        for number in 0..2_399_i64 {
            let updated_on =
                issue.created_on + jiff::SignedDuration::from_secs(number * 7919 % 2399);
            let project = ProjectId(number % 60 + 1);
            issues::insert(
                db,
                &Issue {
                    id: IssueId(0),
                    project,
                    updated_on,
                    ..issue.clone()
                },
            )?;
        }
        Ok(())
    });
    world
}

fn plan(world: &World, login: &str, order: &[Criterion], offset: i64) -> String {
    let planned: Result<Vec<String>, StoreError> = world.app.store.read(|db| {
        let viewer = Viewer::new(db.catalogue(), Some(user(login)));
        let conditions = [Condition {
            field: Field::Status,
            predicate: Predicate::Open,
        }];
        let page = IssueQuery {
            viewer: &viewer,
            visible: visibility::issues(&viewer),
            project: None,
            conditions: &conditions,
            order,
            offset,
            limit: 25,
        };
        assert_eq!(
            issues::list(db, &page)?.len(),
            25.min(usize::try_from(issues::count(db, &page)? - offset).unwrap())
        );
        issues::plan(db, &page)
    });
    planned.unwrap().join("\n")
}

fn descending(column: Column) -> Vec<Criterion> {
    vec![Criterion {
        column,
        descending: true,
    }]
}

#[test]
fn list_uses_the_cheapest_plan() {
    only_on_sqlite!("hints and statistics of SQLite; postgres::plans has the other plans");
    let world = many();
    let newest = descending(Column::UpdatedOn);
    let written = descending(Column::CreatedOn);
    // The statistics of ANALYZE must not change the plan.
    for learned in [
        "",
        "ANALYZE",
        "UPDATE sqlite_stat1 SET stat = '2400 1 1 1 1 1 1' WHERE tbl = 'issues'",
    ] {
        // A schema change makes every connection reload the statistics.
        for statement in [learned, "CREATE TABLE reload (id)", "DROP TABLE reload"] {
            world.sql(statement);
        }
        for (login, offset) in [("alice", 0), ("alice", 2_000), ("bob", 0)] {
            let by_number = plan(&world, login, &[], offset);
            let steps: Vec<&str> = by_number.lines().collect();
            assert!(
                steps[0].starts_with("SCAN rarray")
                    && steps[1].starts_with("SEARCH i USING INTEGER PRIMARY KEY"),
                "{learned}: {by_number}"
            );
        }
        for (order, index) in [
            (&newest, "issues_by_updated_on"),
            (&written, "issues_by_created_on"),
        ] {
            let walk = plan(&world, "alice", order, 0);
            assert!(
                walk.starts_with(&format!("SCAN i USING INDEX {index}"))
                    && !walk.contains("FOR ORDER BY"),
                "{learned}: {walk}"
            );
        }
        for order in [newest.as_slice(), written.as_slice()] {
            let by_ids = plan(&world, "bob", order, 0);
            assert!(
                !by_ids.contains("USING INDEX") && !by_ids.contains("SCAN i"),
                "{learned}: {by_ids}"
            );
            assert!(
                by_ids
                    .lines()
                    .any(|step| step.starts_with("SEARCH i USING INTEGER PRIMARY KEY")),
                "{learned}: {by_ids}"
            );
            assert!(
                by_ids.contains("B-TREE FOR ORDER BY"),
                "{learned}: {by_ids}"
            );
        }
    }
}

fn ids_of_page(world: &World, login: &str, query: &str, offset: usize) -> Vec<i64> {
    let response = world
        .as_user(login)
        .get(&format!("/issues.json?limit=100&offset={offset}&{query}"))
        .assert_status(200)
        .json();
    response["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

fn all_ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    (0..24)
        .flat_map(|hundred| ids_of_page(world, login, query, hundred * 100))
        .collect()
}

#[test]
fn all_plans_return_the_same_issues() {
    let world = many();
    for query in [
        "",
        "sort=updated_on:desc",
        "sort=updated_on",
        "sort=created_on:desc",
        "sort=id",
    ] {
        let found = all_ids(&world, "alice", query);
        // Last pages sort all matches, first pages scan in order; the text condition leaves the
        // choice to the engine.
        assert_eq!(
            found,
            all_ids(&world, "alice", &format!("{query}&subject=thing")),
            "{query}"
        );
        assert_eq!(
            found
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            2400,
            "{query}"
        );
        let seen: Vec<i64> = found.into_iter().filter(|id| (id - 2) % 60 == 7).collect();
        assert_eq!(all_ids(&world, "bob", query), seen, "{query}");
    }
}
