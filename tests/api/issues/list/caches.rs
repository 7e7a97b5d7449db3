//! Cached lists equal the issues after every write: each random query is run in a transaction,
//! which has no cache, and by a reader with the cache.

use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::ids::{IssueId, PrincipalId, ProjectId, StatusId, TrackerId, UserId};
use quarry::domain::issues::issue::Issue;
use quarry::domain::query::columns::{Column, Criterion};
use quarry::domain::query::filter::Predicate;
use quarry::domain::query::issues::{Condition, Field};
use quarry::store::issues::{self, IssueQuery};
use quarry::store::{Read, StoreError};
use quarry_world::{World, user};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const WORDS: &[&str] = &[
    "pump", "Pumpe", "ÖL", "öltank", "ΟΔΟΣ", "οδοσ", "100%", "a_b", "x\\y", "İx", "tank",
];
const WRITES: usize = 150;

fn text(random: &mut StdRng) -> String {
    let words: Vec<&str> = (0..random.random_range(1..4))
        .map(|_| WORDS[random.random_range(0..WORDS.len())])
        .collect();
    words.join(" ")
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words
        .iter()
        .map(|word| (*word).to_owned())
        .collect::<Vec<_>>()
}

fn condition(field: Field, predicate: Predicate) -> Condition {
    Condition { field, predicate }
}

fn status_condition(predicate: Predicate) -> Condition {
    condition(Field::Status, predicate)
}

fn searches() -> Vec<Vec<Condition>> {
    let mut requested = vec![
        vec![
            condition(Field::Subject, Predicate::Contains(to_strings(&["PUMP"]))),
            condition(Field::Subject, Predicate::NotContains(to_strings(&["öl"]))),
            status_condition(Predicate::Open),
        ],
        vec![
            condition(
                Field::Subject,
                Predicate::Contains(to_strings(&["pump", "tan"])),
            ),
            condition(Field::Assignee, Predicate::OneOf(vec![3, 4])),
        ],
        vec![condition(Field::Subject, Predicate::Contains(vec![]))],
        vec![
            condition(Field::Assignee, Predicate::Empty),
            condition(Field::Tracker, Predicate::NoneOf(vec![2])),
        ],
        vec![
            condition(
                Field::AnySearchable,
                Predicate::NotContains(to_strings(&["ump"])),
            ),
            status_condition(Predicate::Closed),
        ],
        vec![condition(
            Field::Notes,
            Predicate::Contains(to_strings(&["pump"])),
        )],
        vec![condition(Field::Private, Predicate::OneOf(vec![1]))],
        vec![
            condition(Field::Private, Predicate::NoneOf(vec![1])),
            condition(Field::Subject, Predicate::Contains(to_strings(&["pump"]))),
        ],
    ];
    for field in [Field::Subject, Field::Description, Field::AnySearchable] {
        for word in ["ump", "öl", "ΔΟΣ", "δοσ", "0%", "_", "\\", "i̇X", "", "p t"] {
            requested.push(vec![
                condition(field, Predicate::Contains(to_strings(&[word]))),
                status_condition(Predicate::Open),
            ]);
        }
        requested.push(vec![condition(
            field,
            Predicate::ContainsAny(to_strings(&["tank", "ΟΔΟΣ", "%"])),
        )]);
        requested.push(vec![
            condition(field, Predicate::StartsWith("pum".to_owned())),
            status_condition(Predicate::Open),
        ]);
        requested.push(vec![condition(
            field,
            Predicate::EndsWith("TANK".to_owned()),
        )]);
    }
    requested
}

/// The total and a page.
type Answer = (i64, Vec<Arc<Issue>>);

fn sort_by(column: Column, descending: bool) -> Vec<Criterion> {
    vec![Criterion { column, descending }]
}

/// Returns total and page of every query for every user.
fn responses(db: &Read<'_>) -> Result<Vec<Answer>, StoreError> {
    let orders = [
        vec![],
        sort_by(Column::Id, false),
        sort_by(Column::UpdatedOn, true),
        sort_by(Column::Subject, false),
    ];
    let mut responses = Vec::new();
    for login in [
        Some("admin"),
        Some("alice"),
        Some("bob"),
        Some("carol"),
        None,
    ] {
        let viewer = Viewer::new(db.catalogue(), login.map(user));
        for (turn, conditions) in searches().into_iter().enumerate() {
            let order = &orders[turn % orders.len()];
            let offset = i64::try_from(turn % 3).unwrap();
            let page = IssueQuery {
                viewer: &viewer,
                visible: visibility::issues(&viewer),
                project: None,
                conditions: &conditions,
                order,
                offset,
                limit: 7,
            };
            let both = issues::list_and_count(db, &page)?;
            assert_eq!(both, (issues::count(db, &page)?, issues::list(db, &page)?));
            responses.push(both);
        }
    }
    Ok(responses)
}

fn change(world: &World, random: &mut StdRng) {
    let numbers: Vec<IssueId> = (1..=i64::try_from(WRITES).unwrap() + 5)
        .map(IssueId)
        .collect();
    let known: Vec<i64> = world
        .app
        .store
        .read(|db| issues::subtrees(db, &numbers))
        .unwrap()
        .into_iter()
        .map(|id| id.0)
        .collect();
    let one = known[random.random_range(0..known.len())];
    let content = text(random);
    match random.random_range(0..10) {
        0..3 => {
            let author = UserId(random.random_range(2..5));
            let project = ProjectId(random.random_range(1..3));
            world.write(move |db| {
                let like = issues::find_any(db, IssueId(one))?.unwrap();
                issues::insert(
                    db,
                    &Issue {
                        id: IssueId(0),
                        subject: content,
                        author,
                        project,
                        parent: None,
                        ..like
                    },
                )
                .map(drop)
            });
        }
        3 => world.edit(one, |issue| issue.subject = content),
        4 => world.edit(one, |issue| issue.description = Some(content)),
        5 => {
            let private = random.random_range(0..2) == 0;
            let body = serde_json::json!({"issue": {"notes": content, "private_notes": private}});
            world
                .as_user("alice")
                .put(&format!("/issues/{one}.json"), body.to_string())
                .assert_status(200);
        }
        6 => {
            let status = StatusId(random.random_range(1..7));
            let tracker = TrackerId(random.random_range(1..4));
            world.edit(one, move |issue| {
                (issue.status, issue.tracker, issue.private) = (status, tracker, !issue.private)
            });
        }
        7 => {
            let assignee = Some(PrincipalId(random.random_range(2..5))).filter(|id| id.0 != 2);
            world.edit(one, move |issue| issue.assignee = assignee);
        }
        8 if known.len() > 12 => drop(
            world
                .as_user("admin")
                .delete(&format!("/issues/{one}.json"))
                .assert_status(200),
        ),
        _ => {
            let rule = ["all", "default", "own"][random.random_range(0..3)];
            world.sql(match rule {
                "all" => "UPDATE roles SET issues_visibility = 'all' WHERE id = 5",
                "own" => "UPDATE roles SET issues_visibility = 'own' WHERE id = 5",
                _ => "UPDATE roles SET issues_visibility = 'default' WHERE id = 5",
            });
        }
    }
}

#[test]
fn cached_sets_follow_every_write() {
    let world = World::with_projects();
    for login in ["alice", "bob", "carol", "alice", "bob"] {
        world
            .issue("open")
            .author(login)
            .description("a pump in the öltank")
            .create();
    }
    let mut random = StdRng::seed_from_u64(44);
    let mut seen = Vec::new();
    for turn in 0..WRITES {
        change(&world, &mut random);
        // Several writes may happen between two comparisons.
        if turn % 3 != 1 {
            let remembered = world.app.store.read(responses).unwrap();
            let fresh = world.write(|db| responses(db));
            assert_eq!(remembered, fresh, "after write {turn}");
            seen.push(fresh);
        }
    }
    seen.dedup();
    assert!(
        seen.len() > WRITES / 3,
        "the writes change answers: {}",
        seen.len()
    );
    assert!(
        seen.iter()
            .flatten()
            .filter(|(total, _)| *total > 0)
            .count()
            > seen.len() * 40,
        "the questions find something"
    );
}

#[test]
fn pages_are_consistent_snapshots_during_writes() {
    let world = World::with_projects();
    for _ in 0..20 {
        world.issue("open").create();
    }
    let conditions = [
        Condition {
            field: Field::Status,
            predicate: Predicate::Open,
        },
        Condition {
            field: Field::Subject,
            predicate: Predicate::Contains(vec!["thing".to_owned()]),
        },
    ];
    let ended = AtomicBool::new(false);
    let pages = std::thread::scope(|scope| {
        let reader = || {
            let mut pages = 0;
            while !ended.load(Ordering::Relaxed) || pages == 0 {
                let (_, found) = world
                    .app
                    .store
                    .read(|db| {
                        let viewer = Viewer::new(db.catalogue(), Some(user("bob")));
                        let visible = visibility::issues(&viewer);
                        issues::list_and_count(
                            db,
                            &IssueQuery {
                                viewer: &viewer,
                                visible,
                                project: None,
                                conditions: &conditions,
                                order: &[],
                                offset: 0,
                                limit: 100,
                            },
                        )
                    })
                    .unwrap();
                assert!(
                    found.iter().all(|issue| issue.status.0 < 5
                        && !issue.private
                        && issue.subject == "A thing"),
                    "{found:?}"
                );
                pages += 1;
            }
            pages
        };
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(reader)).collect();
        let mut random = StdRng::seed_from_u64(45);
        for _ in 0..300 {
            let one = random.random_range(1..=20);
            let turn = random.random_range(0..3);
            world.edit(one, move |issue| match turn {
                0 => issue.private = !issue.private,
                1 => issue.status = StatusId(6 - issue.status.0),
                _ => {
                    issue.subject = if issue.subject == "A thing" {
                        "Another".to_owned()
                    } else {
                        "A thing".to_owned()
                    }
                }
            });
        }
        ended.store(true, Ordering::Relaxed);
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .sum::<usize>()
    });
    assert!(pages >= 3);
}
