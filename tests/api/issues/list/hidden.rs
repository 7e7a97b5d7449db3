//! Hidden records do not affect responses. Two worlds differ only in what carol may not see; all
//! her responses must be equal byte for byte.

use super::ids;
use super::rows::{self, field, field_roles, hours, issue, journal, relation, value, watcher};
use quarry::domain::access::permission::Permission;
use quarry::domain::access::role::Role;
use quarry::store::administration::roles;
use quarry_world::{MANAGER, REPORTER, Response, World};

/// Carol is a reporter in `open` (1), may only view issues in `quiet` (3), and does not see
/// `secret` (2). She sees the issues 1 to 5. Role 6 is not in the default data and may only view
/// issues.
fn world(with_hidden: bool) -> World {
    let world = World::with_projects();
    let guest = world.write(|db| {
        let permissions = [Permission::ViewIssues].into_iter().collect();
        roles::insert(
            db,
            &Role {
                name: "Guest".to_owned(),
                position: 9,
                assignable: true,
                permissions,
                ..Role::default()
            },
        )
    });
    world
        .project("quiet")
        .private()
        .member("alice", MANAGER)
        .member("carol", guest)
        .create();
    issue(&world, 1, 1, &[]);
    issue(&world, 2, 1, &[("assigned_to_id", 4.into())]);
    issue(&world, 3, 3, &[("status_id", 2.into())]);
    issue(&world, 4, 1, &[("parent_id", 1.into())]);
    issue(&world, 5, 1, &[]);
    // Only managers see field 1; reporters see field 2, so carol sees it in `open` and not in
    // `quiet`.
    field(
        &world,
        1,
        "Hidden",
        "string",
        &[("visible", 0.into()), ("searchable", 1.into())],
    );
    field(
        &world,
        2,
        "Half",
        "int",
        &[("visible", 0.into()), ("searchable", 1.into())],
    );
    field_roles(&world, 1, &[MANAGER.0]);
    field_roles(&world, 2, &[MANAGER.0, REPORTER.0]);
    value(&world, 1, 1, 2, "5");
    journal(&world, 1, 1, 2, "spoken", false, None);
    watcher(&world, 1, 3, 4);
    hours(&world, 1, 1, 1, 2, 2.0);
    if with_hidden {
        hide(&world);
    }
    world
}

fn hide(world: &World) {
    issue(world, 11, 2, &[]);
    issue(
        world,
        12,
        1,
        &[("is_private", 1.into()), ("parent_id", 1.into())],
    );
    issue(
        world,
        13,
        1,
        &[
            ("is_private", 1.into()),
            ("parent_id", 4.into()),
            ("estimated_hours", 9.into()),
        ],
    );
    // Issue 2 has a hidden parent; issue 5 is a descendant of issue 1 only through a hidden one.
    rows::patch(world, "issues", 2, &[("parent_id", 11.into())]);
    rows::patch(world, "issues", 5, &[("parent_id", 12.into())]);
    relation(world, 1, 1, "relates", 11);
    relation(world, 2, 3, "blocks", 12);
    relation(world, 3, 12, "precedes", 5);
    relation(world, 4, 11, "duplicates", 2);
    value(world, 2, 1, 1, "hushed");
    value(world, 3, 3, 2, "7");
    journal(world, 2, 1, 3, "psst", true, None);
    journal(world, 3, 2, 5, "", false, Some(["cf", "1", "a", "b"]));
    journal(
        world,
        4,
        3,
        3,
        "",
        false,
        Some(["relation", "blocks", "", "12"]),
    );
    journal(
        world,
        5,
        4,
        3,
        "",
        false,
        Some(["attr", "parent_id", "11", "1"]),
    );
    journal(
        world,
        6,
        5,
        3,
        "",
        false,
        Some(["attr", "project_id", "2", "1"]),
    );
    journal(
        world,
        7,
        4,
        3,
        "psst",
        true,
        Some(["attr", "status_id", "3", "1"]),
    );
    journal(world, 8, 3, 3, "", false, Some(["cf", "2", "6", "7"]));
    watcher(world, 2, 1, 3);
    hours(world, 2, 3, 3, 2, 7.5);
}

/// Queries whose results depend on hidden records, each with what alice gets and carol does not.
const TELLING: &[(&str, &[i64])] = &[
    ("parent_id=*", &[2, 5]),
    ("parent_id=11", &[2]),
    ("parent_id=~11", &[2]),
    ("parent_id=~1", &[5]),
    ("child_id=2", &[11]),
    ("child_id=~5", &[1]),
    ("relates=*", &[1]),
    ("relates=11", &[1]),
    ("relates==p2", &[1]),
    ("relates==!p1", &[1]),
    ("relates=*o", &[1]),
    ("blocks=12", &[3]),
    ("follows=*", &[5]),
    ("duplicated=*", &[2]),
    ("cf_1=hushed", &[1]),
    ("cf_1=*", &[1]),
    ("cf_2=7", &[3]),
    ("cf_2=*", &[3]),
    ("notes=~psst", &[1, 4]),
    ("any_searchable=psst", &[1, 4]),
    ("any_searchable=hushed", &[1]),
    ("updated_by=3", &[1, 3, 4, 5]),
    ("updated_by=5", &[2]),
    ("last_updated_by=3", &[1, 3, 4, 5]),
    ("f[]=status_id&op[status_id]=ev&v[status_id][]=3", &[4]),
    ("f[]=status_id&op[status_id]=cf&v[status_id][]=3", &[4]),
    ("watcher_id=3", &[1]),
    ("spent_time=*", &[3]),
    ("spent_time=>=5", &[3]),
];

#[test]
fn hidden_values_match_for_permitted_users_only() {
    let world = world(true);
    for (question, telling) in TELLING {
        let question = question.replace(">=", "%3E%3D");
        let question = if question.starts_with("f[]") {
            question
        } else {
            format!("{question}&status_id=*")
        };
        let alice = ids(&world, "alice", &question);
        let carol = ids(&world, "carol", &question);
        for id in *telling {
            assert!(alice.contains(id), "{question}: alice gets {alice:?}");
            // A hidden field is unknown to carol and does not filter her list.
            assert!(
                !carol.contains(id) || question.starts_with("cf_1"),
                "{question}: carol gets {carol:?}"
            );
        }
    }
}

fn response_to(world: &World, question: &str) -> (u16, String, String) {
    let response = world
        .as_user("carol")
        .get(&format!("/issues.json?{question}"));
    (
        response.status,
        response.body.clone(),
        response.header("warning").to_owned(),
    )
}

#[test]
fn hidden_records_do_not_affect_responses() {
    let with = world(true);
    let without = world(false);
    let mut questions: Vec<String> = TELLING
        .iter()
        .map(|(question, _)| (*question).to_owned())
        .collect();
    for name in ["parent_id", "child_id"] {
        questions.extend(["*", "!*"].map(|requested| format!("{name}={requested}")));
        questions.extend(
            [1, 2, 4, 5, 11, 12, 13]
                .iter()
                .flat_map(|id| [format!("{name}={id}"), format!("{name}=~{id}")]),
        );
    }
    for name in [
        "relates",
        "duplicates",
        "duplicated",
        "blocks",
        "blocked",
        "precedes",
        "follows",
        "copied_to",
        "copied_from",
    ] {
        let requested = [
            "*", "!*", "*o", "!o", "11", "12", "!11", "!12", "=p1", "=p2", "=!p1", "=!p2", "!p1",
            "!p2",
        ];
        questions.extend(requested.map(|requested| format!("{name}={requested}")));
    }
    for name in ["cf_1", "cf_2"] {
        questions.extend(
            [
                "*", "!*", "hushed", "~hushed", "!hushed", "7", ">=6", "<=6", "5",
            ]
            .map(|requested| format!("{name}={requested}")),
        );
    }
    for name in ["notes", "any_searchable"] {
        questions.extend(
            [
                "~psst",
                "!~psst",
                "*~psst spoken",
                "psst",
                "~hushed",
                "!~hushed",
                "~7",
                "*",
                "!*",
            ]
            .map(|requested| format!("{name}={requested}")),
        );
    }
    for name in [
        "updated_by",
        "last_updated_by",
        "watcher_id",
        "author_id",
        "assigned_to_id",
    ] {
        questions.extend(
            ["2", "3", "4", "5", "me", "!2", "!3", "!5", "!me"]
                .map(|requested| format!("{name}={requested}")),
        );
    }
    questions.extend(
        ["*", "!*", ">=5", "<=5", "7.5", "2", "0"]
            .map(|requested| format!("spent_time={requested}")),
    );
    questions.extend(
        ["ev", "!ev", "cf"]
            .map(|operator| format!("f[]=status_id&op[status_id]={operator}&v[status_id][]=3")),
    );
    questions.extend(
        ["*", "!*", "t", ">=2024-01-01"].map(|requested| format!("updated_on={requested}")),
    );
    questions.extend(
        [
            "cf_1=x&strict=1",
            "cf_9=x&strict=1",
            "f[]=cf_1&op[cf_1]=*",
            "subject=Thing",
            "project_id=secret",
            "project_id=2",
        ]
        .map(str::to_owned),
    );
    let columns = "id project tracker parent status priority subject author assigned_to updated_on category fixed_version start_date due_date \
                   estimated_hours total_estimated_hours spent_hours done_ratio created_on closed_on is_private last_updated_by cf_1 cf_2";
    questions.extend(
        columns
            .split_whitespace()
            .flat_map(|column| [format!("sort={column}"), format!("sort={column}:desc")]),
    );
    let mut different: Vec<String> = Vec::new();
    for question in questions {
        let question = format!("{question}&include=relations,attachments")
            .replace('>', "%3E")
            .replace('<', "%3C")
            .replace(' ', "%20");
        let question = if question.starts_with("f[]") {
            question
        } else {
            format!("{question}&status_id=*")
        };
        if response_to(&with, &question) != response_to(&without, &question) {
            different.push(format!(
                "{question}: {:?} {:?}",
                response_to(&with, &question),
                response_to(&without, &question)
            ));
        }
    }
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
    // The same response as for two missing issues.
    let rejected = |name: &str| {
        response_to(&with, &format!("{name}=x&strict=1"))
            .1
            .replace(name, "cf")
    };
    assert_eq!(rejected("cf_1"), rejected("cf_9"));
}

/// Carol is a reporter in `open`, where she sees no private issue but her own, and a manager in
/// `late` only.
fn world_with_filters_of_one_project() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("carol", REPORTER)
        .create();
    world
        .project("late")
        .private()
        .member("carol", MANAGER)
        .create();
    field(&world, 1, "Limited", "int", &[("visible", 0.into())]);
    field_roles(&world, 1, &[MANAGER.0]);
    field(
        &world,
        2,
        "Budget",
        "int",
        &[("type", "ProjectCustomField".into()), ("visible", 0.into())],
    );
    field_roles(&world, 2, &[MANAGER.0]);
    issue(&world, 1, 1, &[]);
    issue(
        &world,
        2,
        1,
        &[("is_private", 1.into()), ("author_id", 4.into())],
    );
    world.sql("DELETE FROM role_permissions WHERE name = 'view_time_entries' AND role_id <> 3");
    hours(&world, 1, 1, 1, 2, 2.0);
    world
}

fn found_strictly(world: &World, filter: &str) -> Vec<i64> {
    ids(world, "carol", &format!("{filter}&strict=1"))
}

#[test]
fn filters_stay_when_the_only_project_of_a_role_is_closed_or_archived() {
    let world = world_with_filters_of_one_project();
    for status in [1, 5, 9] {
        world.sql(&format!(
            "UPDATE projects SET status = {status} WHERE identifier = 'late'"
        ));
        assert_eq!(found_strictly(&world, "is_private=!1"), [1], "{status}");
        assert_eq!(found_strictly(&world, "is_private=1"), [2], "{status}");
        assert_eq!(
            found_strictly(&world, "project_id=open&is_private=1"),
            [2],
            "{status}"
        );
        for filter in [
            "cf_1=%3E%3D1",
            "cf_1=*",
            "project.cf_2=%3E%3D1",
            "spent_time=*",
            "project_id=open&spent_time=*",
        ] {
            assert_eq!(
                found_strictly(&world, filter),
                [0_i64; 0],
                "{status}: {filter}"
            );
        }
    }
}

fn list_anonymously(world: &World, query: &str) -> Response {
    world.anonymous().get(&format!("/issues.json?{query}"))
}

#[test]
fn anonymous_users_cannot_filter_by_watchers() {
    let world = world(false);
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT id, 'view_issue_watchers' FROM roles WHERE builtin = 2 ON CONFLICT DO NOTHING");
    let all = list_anonymously(&world, "")
        .assert_status(200)
        .integer("/total_count");
    for query in [
        "watcher_id=3",
        "watcher_id=!3",
        "watcher_id=me",
        "project_id=open&watcher_id=3",
    ] {
        let filtered = list_anonymously(&world, query).assert_status(200);
        assert_eq!(filtered.integer("/total_count"), all, "{query}");
        filtered.assert_header(
            "warning",
            "299 quarry \"unknown parameters were ignored: watcher_id\"",
        );
        list_anonymously(&world, &format!("{query}&strict=1")).assert_status(422);
    }
    list_anonymously(
        &world,
        "f[]=watcher_id&op[watcher_id]==&v[watcher_id][]=3&strict=1",
    )
    .assert_status(422);
    world.sql(
        r#"INSERT INTO queries (id, type, name, visibility, filters_json)
           VALUES (1, 'IssueQuery', 'Watched', 2, '{"watcher_id":{"operator":"=","values":["3"]}}')"#,
    );
    assert_eq!(
        list_anonymously(&world, "query_id=1")
            .assert_status(200)
            .integer("/total_count"),
        all,
        "nor by a saved query"
    );
}
