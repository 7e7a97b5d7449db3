//! Every filter by related records (compatibility 6.3), for a user who sees all of them.

use super::rows::{self, file, hours, issue, journal, patch, relation, update, watcher};
use super::{errors, ids};
use quarry::domain::accounts::group::Group;
use quarry::domain::ids::PrincipalId;
use quarry::store::accounts::groups;
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World, user};

/// The group that [`insert_group`] inserts.
pub const GROUP: PrincipalId = PrincipalId(50);

/// Inserts a group with these users.
pub fn insert_group(world: &World, logins: &[&str]) {
    let now = world.app.clock.now();
    let group = Group {
        id: GROUP,
        name: "Group".to_owned(),
        users: logins.iter().copied().map(user).collect(),
        ..Group::default()
    };
    world.write(move |db| groups::insert(db, &group, now));
}

/// Issue 1 is the parent of 2 and 3, 3 of 4; 5 is closed and has a version; 6 is in another
/// project, which is closed.
pub fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    world.project("other").member("alice", DEVELOPER).create();
    patch(&world, "projects", 2, &[("status", 5.into())]);
    update(
        &world,
        "versions",
        1,
        &[
            ("project_id", 1.into()),
            ("name", "1.0".into()),
            ("due_date", "2026-12-01".into()),
            ("created_on", 0.into()),
        ],
    );
    update(
        &world,
        "versions",
        2,
        &[
            ("project_id", 1.into()),
            ("name", "2.0".into()),
            ("status", "locked".into()),
            ("created_on", 0.into()),
        ],
    );
    update(
        &world,
        "issue_categories",
        1,
        &[("project_id", 1.into()), ("name", "Hull".into())],
    );
    issue(
        &world,
        1,
        1,
        &[
            ("category_id", 1.into()),
            ("assigned_to_id", 3.into()),
            ("description", "Ein Überblick".into()),
        ],
    );
    issue(
        &world,
        2,
        1,
        &[
            ("parent_id", 1.into()),
            ("fixed_version_id", 1.into()),
            ("subject", "Ракета".into()),
        ],
    );
    issue(
        &world,
        3,
        1,
        &[
            ("parent_id", 1.into()),
            ("fixed_version_id", 2.into()),
            ("is_private", 1.into()),
            ("assigned_to_id", 4.into()),
        ],
    );
    issue(
        &world,
        4,
        1,
        &[("parent_id", 3.into()), ("estimated_hours", 0.3.into())],
    );
    issue(
        &world,
        5,
        1,
        &[
            ("status_id", 5.into()),
            ("author_id", 3.into()),
            ("closed_on", 1_710_000_000_000_000.into()),
        ],
    );
    issue(&world, 6, 2, &[("assigned_to_id", 2.into())]);
    journal(&world, 1, 1, 3, "The engine is Größe 4", false, None);
    journal(
        &world,
        2,
        1,
        2,
        "",
        false,
        Some(["attr", "status_id", "2", "1"]),
    );
    journal(
        &world,
        3,
        5,
        3,
        "",
        false,
        Some(["attr", "status_id", "1", "5"]),
    );
    file(&world, 1, 1, "Engine.log", "what it said");
    file(&world, 2, 2, "Übersicht.PDF", "");
    hours(&world, 1, 1, 4, 2, 0.1);
    hours(&world, 2, 1, 4, 3, 0.2);
    hours(&world, 3, 1, 1, 2, 2.0);
    watcher(&world, 1, 1, 2);
    watcher(&world, 2, 2, 3);
    relation(&world, 1, 1, "relates", 2);
    relation(&world, 2, 1, "blocks", 5);
    relation(&world, 3, 6, "precedes", 4);
    relation(&world, 4, 3, "duplicates", 1);
    relation(&world, 5, 2, "copied_to", 4);
    world
}

fn escape(c: char) -> String {
    c.to_string()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect::<String>()
}

pub fn check(world: &World, login: &str, cases: &[(&str, &[i64])]) {
    for (question, expected) in cases {
        let requested: String = question
            .chars()
            .map(|c| {
                if c.is_ascii() && !" <>".contains(c) {
                    c.to_string()
                } else {
                    escape(c)
                }
            })
            .collect();
        let requested = if requested.starts_with("f[]") {
            requested
        } else {
            format!("{requested}&status_id=*")
        };
        assert_eq!(ids(world, login, &requested), *expected, "{question}");
        let xml = world
            .as_user(login)
            .get(&format!("/issues.xml?{requested}"))
            .assert_status(200)
            .body;
        assert!(
            xml.contains(&format!("<issues total_count=\"{}\" ", expected.len())),
            "{question}: {xml}"
        );
    }
}

#[test]
fn filters_by_relation_parent_and_child() {
    let cases: &[(&str, &[i64])] = &[
        ("relates=*", &[2, 1]),
        ("relates=1", &[2]),
        ("relates=2|1", &[2, 1]),
        ("relates=!1", &[6, 5, 4, 3, 1]),
        ("relates=!*", &[6, 5, 4, 3]),
        ("relates=x", &[]),
        ("blocks=*o", &[]),
        ("blocks=!o", &[6, 5, 4, 3, 2, 1]),
        ("blocks=5", &[1]),
        ("blocked=*o", &[5]),
        ("precedes=*", &[6]),
        ("precedes==p1", &[6]),
        ("precedes==!p1", &[]),
        ("follows==p2", &[4]),
        ("follows==p1", &[]),
        ("follows=!p2", &[6, 5, 3, 2, 1]),
        ("follows==pmine", &[4]),
        ("duplicates=1", &[3]),
        ("duplicated=3", &[1]),
        ("copied_to=4", &[2]),
        ("copied_from=2", &[4]),
        ("parent_id=1", &[3, 2]),
        ("parent_id=1,3", &[4, 3, 2]),
        ("parent_id=~1", &[4, 3, 2]),
        ("parent_id=~1|3", &[4, 3, 2]),
        ("parent_id=*", &[4, 3, 2]),
        ("parent_id=!*", &[6, 5, 1]),
        ("child_id=4", &[3]),
        ("child_id=~4", &[3, 1]),
        ("child_id=2,4", &[3, 1]),
        ("child_id=*", &[3, 1]),
        ("child_id=!*", &[6, 5, 4, 2]),
    ];
    let world = world();
    check(&world, "alice", cases);
    assert_eq!(
        errors(&world, "alice", "parent_id=x"),
        ["Parent task is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "child_id=~"),
        ["Subtasks cannot be blank"]
    );
    assert_eq!(
        errors(&world, "alice", "blocks="),
        ["Blocks cannot be blank"]
    );
    assert_eq!(
        errors(&world, "alice", "f[]=relates&op[relates]=~&v[relates][]=1"),
        ["Related to is invalid"]
    );
}

#[test]
fn filters_by_user() {
    let cases: &[(&str, &[i64])] = &[
        ("watcher_id=me", &[1]),
        ("watcher_id=3", &[2]),
        ("watcher_id=!2|3", &[6, 5, 4, 3]),
        ("updated_by=me", &[1]),
        ("updated_by=3", &[5, 1]),
        ("updated_by=!3", &[6, 4, 3, 2]),
        ("last_updated_by=3", &[5]),
        ("last_updated_by=2", &[1]),
        ("last_updated_by=!me", &[6, 5, 4, 3, 2]),
        ("assigned_to_role=4", &[6, 1]),
        ("assigned_to_role=5", &[3]),
        ("assigned_to_role=!4", &[5, 4, 3, 2]),
        ("assigned_to_role=*", &[6, 3, 1]),
        ("assigned_to_role=!*", &[5, 4, 2]),
        ("member_of_group=50", &[3, 1]),
        ("member_of_group=!50", &[6, 5, 4, 2]),
        ("member_of_group=*", &[3, 1]),
        ("member_of_group=!*", &[6, 5, 4, 2]),
        ("member_of_group=99", &[]),
        ("author.group=50", &[5]),
        ("author.group=!50", &[6, 4, 3, 2, 1]),
        ("author.group=!*", &[6, 4, 3, 2, 1]),
        ("author.role=3", &[4, 3, 2, 1]),
        ("author.role=4", &[6, 5]),
        ("author.role=!3", &[6, 5]),
    ];
    let world = world();
    insert_group(&world, &["bob", "carol"]);
    check(&world, "alice", cases);
    // Bob does not see the private issue 3; developers see other watchers no more than guests do.
    check(
        &world,
        "bob",
        &[
            ("watcher_id=me", &[2]),
            ("watcher_id=2", &[]),
            ("assigned_to_role=5", &[]),
            ("updated_by=me", &[5, 1]),
        ],
    );
    assert_eq!(
        world.anonymous().get("/issues.json?watcher_id=me").status,
        401
    );
}

#[test]
fn filters_by_notes_and_attachments() {
    let cases: &[(&str, &[i64])] = &[
        ("subject=ракета", &[2]),
        ("subject=~РАКЕТ", &[2]),
        ("subject=!~ракета", &[6, 5, 4, 3, 1]),
        ("subject=^ракета", &[2]),
        ("subject=$ЕТА", &[2]),
        ("subject==ракета", &[]),
        ("subject==Ракета", &[2]),
        ("subject=*~thing ракета", &[6, 5, 4, 3, 2, 1]),
        ("subject=!~g nothing", &[6, 5, 4, 3, 2, 1]),
        ("subject=*~а nothing", &[]),
        ("subject=~t thing q", &[6, 5, 4, 3, 1]),
        ("subject=*~к", &[2]),
        ("description=~überblick x", &[1]),
        ("any_searchable=~x engine y", &[1]),
        ("description=~überblick", &[1]),
        ("description=überblick", &[]),
        ("description=Ein Überblick", &[1]),
        ("description=!*", &[6, 5, 4, 3, 2]),
        ("description=!~überblick", &[]),
        ("notes=~größe ENGINE", &[1]),
        ("notes=*", &[1]),
        ("notes=!*", &[6, 5, 4, 3, 2]),
        ("notes=engine", &[]),
        ("any_searchable=überblick engine", &[1]),
        ("any_searchable=*~ракета engine", &[2, 1]),
        ("any_searchable=!~thing", &[2]),
        ("attachment=~engine", &[1]),
        ("attachment=$.pdf", &[2]),
        ("attachment=^übersicht", &[2]),
        ("attachment=Engine.log", &[1]),
        ("attachment=!~log", &[6, 5, 4, 3, 2]),
        ("attachment=*", &[2, 1]),
        ("attachment_description=~SAID", &[1]),
        ("attachment_description=!*", &[2]),
    ];
    let world = world();
    check(&world, "alice", cases);
    let words = ["a"; 11].join("%20");
    let errors = world
        .as_user("alice")
        .get(&format!("/issues.json?any_searchable={words}"))
        .assert_status(422)
        .errors();
    assert_eq!(
        errors,
        ["Any searchable text filter is too long (at most 1000 characters and 10 words)"]
    );
}

#[test]
fn filters_by_version_project_hours_and_status() {
    let cases: &[(&str, &[i64])] = &[
        ("fixed_version.status=open", &[2]),
        ("fixed_version.status=locked|closed", &[3]),
        ("fixed_version.status=!open", &[6, 5, 4, 3, 1]),
        ("fixed_version.due_date=2026-12-01", &[2]),
        ("fixed_version.due_date=nm", &[2]),
        ("fixed_version.due_date=*", &[2]),
        ("fixed_version.due_date=!*", &[6, 5, 4, 3, 1]),
        ("project.status=5", &[6]),
        ("project.status=!5", &[5, 4, 3, 2, 1]),
        ("category_id=1", &[1]),
        ("project_id=1&category_id=!*", &[5, 4, 3, 2]),
        ("spent_time=*", &[4, 1]),
        ("spent_time=!*", &[6, 5, 3, 2]),
        ("spent_time=0.3", &[4]),
        ("spent_time=>=0.3", &[4, 1]),
        ("spent_time=><1|3", &[1]),
        ("spent_time=2:00", &[1]),
        ("spent_time=<=0:18", &[6, 5, 4, 3, 2]),
        ("estimated_hours=0.3", &[4]),
        ("is_private=1", &[3]),
        ("is_private=0", &[6, 5, 4, 2, 1]),
        ("is_private=-1", &[3]),
        ("is_private=!-1", &[6, 5, 4, 2, 1]),
        ("is_private=abc", &[3]),
        ("is_private=!abc", &[6, 5, 4, 2, 1]),
        ("is_private=!0", &[3]),
        ("is_private=0|1", &[6, 5, 4, 3, 2, 1]),
        ("closed_on=*", &[5]),
        ("f[]=status_id&op[status_id]=ev&v[status_id][]=2", &[1]),
        ("f[]=status_id&op[status_id]=ev&v[status_id][]=5", &[5]),
        (
            "f[]=status_id&op[status_id]=!ev&v[status_id][]=2&v[status_id][]=5",
            &[6, 4, 3, 2],
        ),
        ("f[]=status_id&op[status_id]=cf&v[status_id][]=2", &[1]),
        ("sort=fixed_version", &[2, 6, 5, 4, 1, 3]),
        ("sort=parent", &[1, 2, 3, 4, 5, 6]),
        ("sort=parent:desc", &[6, 5, 1, 2, 3, 4]),
        ("sort=spent_hours:desc", &[1, 4, 6, 5, 3, 2]),
        ("sort=last_updated_by:desc", &[5, 1, 6, 4, 3, 2]),
    ];
    let world = world();
    check(&world, "alice", cases);
    // Reporters cannot set or filter by privacy.
    let carol = world
        .as_user("carol")
        .get("/issues.json?is_private=1&status_id=*")
        .assert_status(200);
    assert!(
        carol.header("warning").contains("is_private") && carol.json()["total_count"] == 6,
        "{carol:?}"
    );
    rows::set(
        &world,
        "role_permissions",
        "role_id",
        5,
        &[&[("name", "view_issues".into())]],
    );
    // Non-members may view time entries elsewhere, so the filter stays, and there are no entries
    // that she sees in this project.
    let carol = world
        .as_user("carol")
        .get("/projects/1/issues.json?spent_time=*")
        .assert_status(200);
    assert_eq!(carol.integer("/total_count"), 0, "{carol:?}");
}
