//! Random filters on random issues: SQL against a plain implementation of the same rules.

use super::rows;
use jiff::Timestamp;
use jiff::civil::Date;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::issues::issue::Issue;
use quarry::domain::query::dates::{DayOrInstant, Range};
use quarry::domain::query::filter::{self, Context, Predicate};
use quarry::domain::query::issues::{self as query, Condition, Field};
use quarry::store::issues::{self, IssueQuery};
use quarry::store::{StoreError, Value};
use quarry_world::{MANAGER, World, user};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const TEXTS: &[&str] = &[
    "",
    "Größe",
    "größer als 100%",
    "a_b",
    "a\\b",
    "РАКЕТА",
    "ракеты und Größe",
    "Plain words",
    "plain",
    "İx",
];
const DAYS: &[&str] = &[
    "2026-11-20",
    "2026-11-19",
    "2026-11-16",
    "2026-10-31",
    "2026-12-01",
    "2025-12-31",
    "2024-02-29",
];
const INSTANTS: &[&str] = &[
    "2026-11-20T00:00:00Z",
    "2026-11-20T23:59:59Z",
    "2026-11-19T12:30:00Z",
    "2026-01-01T00:00:00Z",
    "2024-02-29T10:00:00Z",
];
const ISSUES: i64 = 60;
const QUESTIONS: usize = 1_500;

struct Random(StdRng);

impl Random {
    fn up_to(&mut self, most: i64) -> i64 {
        self.0.random_range(1..=most)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.0.random_range(0..all.len())]
    }

    fn maybe<T>(&mut self, some: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.up_to(3) > 1).then(|| some(self))
    }
}

fn instant_value(text: &str) -> Value {
    Value::from(text.parse::<Timestamp>().unwrap())
}

fn fill(world: &World, random: &mut Random) {
    for id in 1..=ISSUES {
        let row: Vec<(&'static str, Value)> = vec![
            ("tracker_id", random.up_to(3).into()),
            ("status_id", random.up_to(6).into()),
            ("priority_id", random.up_to(5).into()),
            ("author_id", random.up_to(4).into()),
            (
                "assigned_to_id",
                random.maybe(|random| random.up_to(4)).into(),
            ),
            ("subject", format!("{} {id}", random.of(TEXTS)).into()),
            (
                "description",
                random.maybe(|random| random.of(TEXTS)).into(),
            ),
            ("start_date", random.maybe(|random| random.of(DAYS)).into()),
            ("due_date", random.maybe(|random| random.of(DAYS)).into()),
            (
                "closed_on",
                random
                    .maybe(|random| instant_value(random.of(INSTANTS)))
                    .into(),
            ),
            ("created_on", instant_value(random.of(INSTANTS))),
            ("done_ratio", (random.up_to(11) * 10 - 10).into()),
            (
                "estimated_hours",
                random.maybe(|random| random.up_to(40) as f64 / 10.0).into(),
            ),
        ];
        rows::issue(world, id, 1, &row);
    }
}

const ASKED: &[Field] = &[
    Field::Id,
    Field::Status,
    Field::Tracker,
    Field::Priority,
    Field::Author,
    Field::Assignee,
    Field::Subject,
    Field::Description,
    Field::StartDate,
    Field::DueDate,
    Field::ClosedOn,
    Field::CreatedOn,
    Field::DoneRatio,
    Field::EstimatedHours,
];

fn question(random: &mut Random, field: Field) -> String {
    let (operators, values): (&[&str], &[&str]) = match field {
        Field::Status => (&["", "!", "o", "c", "*", "="], &["1", "2|5", "6", "99"]),
        Field::Tracker | Field::Priority | Field::Author => {
            (&["", "!", "="], &["1", "2|3", "me", "x"])
        }
        Field::Assignee => (&["", "!", "=", "*", "!*"], &["1", "2|3", "me", "x"]),
        Field::Subject | Field::Description => (
            &["", "~", "!~", "^", "$", "*~", "=", "*", "!*"],
            &[
                "größe",
                "GRÖSSE",
                "100%",
                "_",
                "\\",
                "ракет",
                "plain words",
                "a_B",
                "i\u{307}X",
                "7",
            ],
        ),
        Field::StartDate | Field::DueDate => (
            &[
                "", ">=", "<=", "><", "t", "w", "lw", "m", "lm", "nm", "y", "*", "!*",
            ],
            DAYS,
        ),
        Field::ClosedOn | Field::CreatedOn => (
            &["", ">=", "<=", "><", "t", "w", "ld", "y", "*", "!*"],
            &[
                "2026-11-20",
                "2026-11-19T12:30",
                "2026-11-20T23:59:59Z",
                "2024-02-29",
            ],
        ),
        _ => (
            &["", ">=", "<=", "><", "*", "!*"],
            &["0", "2", "2.5", "40", "1e1", "-1"],
        ),
    };
    let operator = random.of(operators);
    let value = random.of(values);
    match operator {
        "><" => format!("><{value}|{}", random.of(values)),
        "t" | "w" | "ld" | "lw" | "m" | "lm" | "nm" | "y" | "*" | "!*" => operator.to_owned(),
        _ => format!("{operator}{value}"),
    }
}

fn matches_id(predicate: &Predicate, id: Option<i64>) -> bool {
    match predicate {
        Predicate::OneOf(ids) => id.is_some_and(|id| ids.contains(&id)),
        Predicate::NoneOf(ids) => id.is_none_or(|id| !ids.contains(&id)),
        // The last two statuses of the default data are closed.
        Predicate::Open => id.is_some_and(|id| id <= 4),
        Predicate::Closed => id.is_some_and(|id| id >= 5),
        other => quantity(id.map(|id| id as f64), other),
    }
}

/// The rules, one issue at a time.
fn fits(issue: &Issue, field: Field, predicate: &Predicate) -> bool {
    match field {
        Field::Id => matches_id(predicate, Some(issue.id.0)),
        Field::Status => matches_id(predicate, Some(issue.status.0)),
        Field::Tracker => matches_id(predicate, Some(issue.tracker.0)),
        Field::Priority => matches_id(predicate, Some(issue.priority.0)),
        Field::Author => matches_id(predicate, Some(issue.author.0)),
        Field::Assignee => matches_id(predicate, issue.assignee.map(|id| id.0)),
        Field::DoneRatio => quantity(Some(issue.done_ratio as f64), predicate),
        Field::EstimatedHours => quantity(issue.estimated_hours, predicate),
        Field::Subject => text(Some(&issue.subject), predicate),
        Field::Description => text(issue.description.as_deref(), predicate),
        Field::StartDate => day(issue.start_date, predicate),
        Field::DueDate => day(issue.due_date, predicate),
        Field::ClosedOn => instant(issue.closed_on, predicate),
        _ => instant(Some(issue.created_on), predicate),
    }
}

fn presence(there: bool, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::NotEmpty | Predicate::Any => there,
        Predicate::Empty => !there,
        other => panic!("{other:?}"),
    }
}

fn within<T: PartialOrd>(value: &T, range: &Range<T>) -> bool {
    range.from.as_ref().is_none_or(|from| value >= from)
        && range.to.as_ref().is_none_or(|to| value <= to)
}

fn quantity(value: Option<f64>, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Number(range) => value.is_some_and(|value| within(&value, range)),
        Predicate::OneOf(ids) => {
            value.is_some_and(|value| ids.iter().any(|id| *id as f64 == value))
        }
        other => presence(value.is_some(), other),
    }
}

fn text(value: Option<&str>, predicate: &Predicate) -> bool {
    let is_null = value.is_none();
    let value = value.unwrap_or_default();
    let small = value.to_lowercase();
    let has = |word: &String| small.contains(&word.to_lowercase());
    match predicate {
        Predicate::Contains(words) => words.iter().all(has),
        Predicate::ContainsAny(words) => words.iter().any(has),
        Predicate::NotContains(words) => !is_null && !words.iter().any(has),
        // An empty text is a value, and is empty.
        Predicate::NotEmpty => !is_null,
        Predicate::StartsWith(begin) => small.starts_with(&begin.to_lowercase()),
        Predicate::EndsWith(end) => small.ends_with(&end.to_lowercase()),
        Predicate::Equals(text) => value == text,
        other => presence(!value.is_empty(), other),
    }
}

fn day(value: Option<Date>, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Time(range) => {
            let range = Range {
                from: range.from.map(DayOrInstant::date),
                to: range.to.map(DayOrInstant::date),
            };
            value.is_some_and(|value| within(&value, &range))
        }
        other => presence(value.is_some(), other),
    }
}

fn instant(value: Option<Timestamp>, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Time(range) => {
            let range = Range {
                from: range.from.map(DayOrInstant::first),
                to: range.to.map(DayOrInstant::last),
            };
            value.is_some_and(|value| within(&value, &range))
        }
        other => presence(value.is_some(), other),
    }
}

#[test]
fn random_filters_match_the_reference_implementation() {
    let world = World::new();
    world.project("open").member("alice", MANAGER).create();
    let mut random = Random(StdRng::seed_from_u64(4));
    fill(&world, &mut random);
    let answered: Result<(usize, usize), StoreError> = world.app.store.read(|db| {
        let viewer = Viewer::new(db.catalogue(), Some(user("alice")));
        let context = Context::new(&viewer, db.catalogue(), world.app.clock.now());
        let known = query::filter_fields(db.catalogue(), &viewer, false);
        let visible = visibility::issues(&viewer);
        let page = |conditions: &[Condition]| {
            issues::list(
                db,
                &IssueQuery {
                    viewer: &viewer,
                    visible,
                    project: None,
                    conditions,
                    order: &[],
                    offset: 0,
                    limit: 1000,
                },
            )
        };
        let all = page(&[])?;
        assert_eq!(i64::try_from(all.len()).unwrap(), ISSUES);
        let mut some = 0;
        let mut responses = 0;
        for _ in 0..QUESTIONS {
            let field = random.of(ASKED);
            let question = question(&mut random, field);
            let entry = known.iter().find(|known| known.field == field).unwrap();
            let Ok(predicate) = filter::parse_short(entry.kind, &entry.label, &question, &context)
            else {
                continue;
            };
            let expected: Vec<i64> = all
                .iter()
                .filter(|issue| fits(issue, field, &predicate))
                .map(|issue| issue.id.0)
                .collect();
            let conditions = [Condition {
                field,
                predicate: predicate.clone(),
            }];
            let found: Vec<i64> = page(&conditions)?.iter().map(|issue| issue.id.0).collect();
            assert_eq!(found, expected, "{}={question}: {predicate:?}", entry.name);
            let counted = issues::count(
                db,
                &IssueQuery {
                    viewer: &viewer,
                    visible,
                    project: None,
                    conditions: &conditions,
                    order: &[],
                    offset: 0,
                    limit: 1,
                },
            )?;
            assert_eq!(
                usize::try_from(counted).unwrap(),
                found.len(),
                "{}={question}: {predicate:?}",
                entry.name
            );
            some += usize::from(!found.is_empty() && found.len() < all.len());
            responses += 1;
        }
        Ok((some, responses))
    });
    let (some, responses) = answered.unwrap();
    assert!(
        responses > QUESTIONS * 3 / 4 && some > responses / 3,
        "{some} of {responses} questions told issues apart"
    );
}
