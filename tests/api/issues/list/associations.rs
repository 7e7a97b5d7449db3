//! Filters by custom fields of projects, people and versions to which issues refer (compatibility
//! 6.3).

use super::rows::{field, field_roles, issue, patch, update, value};
use super::{errors, ids};
use quarry_world::{MANAGER, World, insert_group, user};

/// The group Quality, in which bob is.
const GROUP: i64 = 7;

fn associations(
    author: i64,
    assignee: Option<i64>,
    version: Option<i64>,
) -> [(&'static str, quarry::store::Value); 3] {
    [
        ("author_id", author.into()),
        ("assigned_to_id", assignee.into()),
        ("fixed_version_id", version.into()),
    ]
}

/// A world where alice manages the projects 1 `open` and 2 `secret`, bob develops `open`, and carol
/// manages 3 `other` and is a reporter of `open`. Issues 1 to 5 are in `open`, 6 in `secret`, 7 in
/// `other`.
pub fn world() -> World {
    let world = World::with_projects();
    world
        .project("other")
        .private()
        .member("carol", MANAGER)
        .create();
    let now = world.app.clock.now();
    assert_eq!(
        world
            .write(move |db| insert_group(db, "Quality", &[user("bob")], now))
            .0,
        GROUP
    );
    for (id, project, status, sharing, due) in [
        (1, 1, "open", "none", "2026-11-20".into()),
        (2, 1, "closed", "none", quarry::store::Value::Null),
        (3, 2, "open", "system", "2026-12-24".into()),
        (4, 2, "locked", "none", "2027-01-01".into()),
    ] {
        let name = format!("v{id}").into();
        let row = [
            ("project_id", project.into()),
            ("name", name),
            ("status", status.into()),
            ("sharing", sharing.into()),
        ];
        update(
            &world,
            "versions",
            id,
            &[
                row.as_slice(),
                &[("due_date", due), ("created_on", 0.into())],
            ]
            .concat(),
        );
    }
    issue(&world, 1, 1, &associations(2, Some(3), Some(1)));
    issue(&world, 2, 1, &associations(3, Some(GROUP), Some(2)));
    issue(&world, 3, 1, &associations(5, None, None));
    issue(&world, 4, 1, &associations(6, None, Some(3)));
    // The version was shared when the issue got it.
    issue(&world, 5, 1, &associations(2, None, Some(4)));
    issue(&world, 6, 2, &associations(2, None, None));
    issue(&world, 7, 3, &associations(4, None, None));
    fields(&world);
    world
}

fn fields(world: &World) {
    let limited = ("visible", 0.into());
    field(
        world,
        1,
        "Cost",
        "string",
        &[("type", "ProjectCustomField".into())],
    );
    field(
        world,
        2,
        "Budget",
        "int",
        &[("type", "ProjectCustomField".into()), limited.clone()],
    );
    field(
        world,
        3,
        "City",
        "list",
        &[("type", "UserCustomField".into())],
    );
    field(
        world,
        4,
        "Salary",
        "int",
        &[("type", "UserCustomField".into()), limited.clone()],
    );
    field(
        world,
        5,
        "Floor",
        "string",
        &[("type", "GroupCustomField".into())],
    );
    field(
        world,
        6,
        "Codename",
        "string",
        &[("type", "VersionCustomField".into())],
    );
    field(
        world,
        7,
        "Release",
        "date",
        &[("type", "VersionCustomField".into()), limited],
    );
    field(world, 8, "Reviewer", "user", &[("multiple", 1.into())]);
    field(world, 9, "Milestone", "version", &[]);
    field(
        world,
        10,
        "Nickname",
        "string",
        &[("type", "UserCustomField".into()), ("is_filter", 0.into())],
    );
    field(
        world,
        11,
        "Lead",
        "user",
        &[("type", "ProjectCustomField".into())],
    );
    for limited in [2, 4, 7] {
        field_roles(world, limited, &[MANAGER.0]);
    }
    let values = [
        ("Project", 1, 1, "CC-1"),
        ("Project", 2, 1, "CC-2"),
        ("Project", 1, 2, "10"),
        ("Project", 2, 2, "20"),
        ("Project", 1, 11, "3"),
        ("Principal", 2, 3, "Rome"),
        ("Principal", 3, 3, "Oslo"),
        ("Principal", 5, 3, ""),
        ("Principal", 6, 3, "Rome"),
        ("Principal", 2, 4, "100"),
        ("Principal", 2, 10, "Al"),
        ("Principal", GROUP, 5, "3rd"),
        ("Version", 1, 6, "Apollo"),
        ("Version", 3, 6, "Zeus"),
        ("Version", 4, 6, "Hera"),
        ("Version", 1, 7, "2026-11-20"),
        ("Version", 3, 7, "2026-12-24"),
        ("Issue", 1, 8, "2"),
        ("Issue", 1, 8, "3"),
        ("Issue", 2, 8, "3"),
        ("Issue", 3, 8, "5"),
        ("Issue", 4, 8, "6"),
        ("Issue", 1, 9, "1"),
        ("Issue", 2, 9, "2"),
        ("Issue", 5, 9, "4"),
    ];
    for (row, (kind, record, field, text)) in (1..).zip(values) {
        value(world, row, record, field, text);
        patch(
            world,
            "custom_values",
            row,
            &[("customized_type", kind.into())],
        );
    }
}

#[track_caller]
fn assert_found(world: &World, login: &str, filters: &[(&str, &[i64])]) {
    for (filter, expected) in filters {
        let query = filter
            .replace('>', "%3E")
            .replace('<', "%3C")
            .replace('+', "%2B");
        let list = world
            .as_user(login)
            .get(&format!("/issues.json?{query}&strict=1"))
            .assert_status(200);
        let found: Vec<i64> = list.integers("/issues", "id");
        assert_eq!(found, *expected, "{login}: {filter}");
    }
}

#[test]
fn custom_fields_of_projects_people_and_versions_filter_issues() {
    assert_found(
        &world(),
        "alice",
        &[
            ("project.cf_1=CC-1", &[5, 4, 3, 2, 1]),
            ("project.cf_1=~cc", &[6, 5, 4, 3, 2, 1]),
            ("project.cf_1=!CC-1", &[6]),
            ("project.cf_1=!*", &[]),
            ("project.cf_2=>=15", &[6]),
            ("project.cf_2=><5|10", &[5, 4, 3, 2, 1]),
            ("project.cf_11=3", &[5, 4, 3, 2, 1]),
            ("project.cf_11=!*", &[6]),
            ("author.cf_3=Rome", &[6, 5, 1]),
            ("author.cf_3=Rome|Oslo", &[6, 5, 2, 1]),
            ("author.cf_3=!Rome", &[3, 2]),
            ("author.cf_3=*", &[6, 5, 2, 1]),
            ("author.cf_3=!*", &[3]),
            ("assigned_to.cf_3=Oslo", &[1]),
            ("assigned_to.cf_3=!*", &[2]),
            ("assigned_to.cf_5=~3RD", &[2]),
            ("assigned_to.cf_5=!3rd", &[1]),
            ("assigned_to.cf_5=!~4", &[2]),
            ("fixed_version.cf_6=Apollo", &[1]),
            ("fixed_version.cf_6=^Z", &[4]),
            ("fixed_version.cf_6=!Apollo", &[5, 4, 2]),
            ("fixed_version.cf_6=!*", &[2]),
            ("fixed_version.cf_7=t", &[1]),
            ("fixed_version.cf_7=>=2026-12-01", &[4]),
            (
                "f[]=project.cf_1&op[project.cf_1]==&v[project.cf_1][]=CC-2",
                &[6],
            ),
            (
                "f[]=fixed_version.cf_6&op[fixed_version.cf_6]=$&v[fixed_version.cf_6][]=o",
                &[1],
            ),
        ],
    );
}

#[test]
fn fields_of_users_and_versions_in_custom_fields_filter_issues() {
    assert_found(
        &world(),
        "alice",
        &[
            ("cf_8.cf_3=Rome", &[1]),
            ("cf_8.cf_3=Oslo", &[2, 1]),
            ("cf_8.cf_3=!Rome", &[6, 5, 4, 3, 2]),
            ("cf_8.cf_3=*", &[2, 1]),
            ("cf_8.cf_3=!*", &[3]),
            ("cf_9.cf_6=Apollo", &[1]),
            ("cf_9.cf_6=~a", &[5, 1]),
            ("cf_9.cf_7=<=2026-11-30", &[1]),
            ("cf_9.status=open", &[1]),
            ("cf_9.status=open|closed", &[2, 1]),
            ("cf_9.status=!open", &[6, 5, 4, 3, 2]),
            ("cf_9.due_date=2026-11-20", &[1]),
            ("cf_9.due_date=>t+1", &[5]),
            ("cf_9.due_date=*", &[5, 1]),
            ("cf_9.due_date=!*", &[2]),
            (
                "f[]=cf_9.status&op[cf_9.status]=!&v[cf_9.status][]=open&v[cf_9.status][]=closed",
                &[6, 5, 4, 3],
            ),
        ],
    );
}

#[test]
fn hidden_records_and_values_do_not_match() {
    let world = world();
    // A locked user is visible for administrators only.
    assert_found(
        &world,
        "admin",
        &[
            ("author.cf_3=Rome", &[6, 5, 4, 1]),
            ("cf_8.cf_3=Rome", &[4, 1]),
            ("author.cf_4=100", &[6, 5, 1]),
        ],
    );
    // A version of a hidden project does not count, but for its status and due date where it is shared.
    assert_found(
        &world,
        "bob",
        &[
            ("project.cf_11=me", &[5, 4, 3, 2, 1]),
            ("project.cf_11=!me", &[]),
            ("fixed_version.cf_6=Zeus", &[]),
            ("fixed_version.cf_6=Hera", &[]),
            ("fixed_version.cf_6=!Hera", &[2, 1]),
            ("fixed_version.cf_6=!*", &[2]),
            ("fixed_version.cf_6=*", &[1]),
            ("fixed_version.status=open|locked", &[1]),
            ("fixed_version.status=!open", &[3, 2]),
            ("fixed_version.status=!closed", &[3, 1]),
            ("fixed_version.due_date=*", &[1]),
            ("fixed_version.due_date=>=2026-12-01", &[]),
            ("fixed_version.due_date=!*", &[3, 2]),
            ("project_id=1&fixed_version.status=open", &[4, 1]),
            ("project_id=1&fixed_version.status=!closed", &[4, 3, 1]),
            ("project_id=1&fixed_version.status=locked", &[]),
            ("project_id=1&fixed_version.due_date=>=2026-12-01", &[4]),
            ("project_id=1&fixed_version.cf_6=Zeus", &[]),
            ("cf_9.cf_6=Hera", &[]),
            ("cf_9.cf_6=!Hera", &[5, 4, 3, 2, 1]),
            ("cf_9.status=locked", &[]),
            ("cf_9.due_date=*", &[1]),
            ("cf_9.due_date=!*", &[2]),
        ],
    );
    // Values of a field for managers are hidden where carol is none.
    assert_found(
        &world,
        "carol",
        &[
            ("project.cf_2=10", &[]),
            ("project.cf_2=*", &[]),
            ("project.cf_2=<=10", &[]),
            ("project.cf_2=!*", &[7]),
            ("fixed_version.cf_7=*", &[]),
            ("fixed_version.cf_7=!*", &[]),
            ("cf_9.cf_7=*", &[]),
        ],
    );
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    assert_found(
        &world,
        "bob",
        &[
            ("author.cf_3=!*", &[]),
            ("cf_8.cf_3=!*", &[]),
            ("author.cf_3=*", &[5, 2, 1]),
        ],
    );
    assert_found(&world, "carol", &[("author.cf_3=!*", &[7])]);
    // What limits the field itself limits the fields of its values.
    patch(&world, "custom_fields", 9, &[("visible", 0.into())]);
    field_roles(&world, 9, &[MANAGER.0]);
    assert_found(&world, "alice", &[("cf_9.status=open", &[1])]);
    assert_found(
        &world,
        "carol",
        &[
            ("cf_9.status=open", &[]),
            ("cf_9.status=!open", &[7, 5, 4, 3, 2, 1]),
        ],
    );
}

fn assert_unknown(world: &World, login: &str, name: &str) {
    let list = world
        .as_user(login)
        .get(&format!("/issues.json?{name}=x"))
        .assert_status(200);
    assert_eq!(
        list.integer("/total_count"),
        ids(world, login, "").len() as i64,
        "{login}: {name}"
    );
    assert!(
        list.header("warning").contains(&format!("ignored: {name}")),
        "{list:?}"
    );
    let long = format!(
        "/issues.json?f[]=status_id&op[status_id]=o&f[]={name}&op[{name}]=%3E%3D&v[{name}][]=x&strict=1"
    );
    world.as_user(login).get(&long).assert_status(422);
}

#[test]
fn unavailable_fields_are_unknown() {
    let world = world();
    for name in [
        "project.cf_2",
        "fixed_version.cf_7",
        "cf_9.cf_7",
        "author.cf_4",
        "cf_8.cf_4",
    ] {
        assert_unknown(&world, "bob", name);
    }
    // Roles do not decide about fields of users; other fields are no filters, of other records, or
    // do not exist.
    for name in [
        "author.cf_4",
        "cf_8.cf_4",
        "author.cf_10",
        "author.cf_5",
        "project.cf_3",
        "user.cf_3",
        "issue.cf_8",
        "author.cf_99",
    ] {
        assert_unknown(&world, "alice", name);
    }
    for name in [
        "cf_8.cf_6",
        "cf_8.status",
        "cf_9.cf_3",
        "cf_9.name",
        "cf_8.",
        "cf_1.status",
        "project.cf_11.cf_3",
        "project.cf_",
    ] {
        assert_unknown(&world, "alice", name);
    }
}

#[test]
fn invalid_values_are_reported_with_the_names_of_record_and_field() {
    let world = world();
    assert_eq!(
        errors(&world, "alice", "project.cf_2=abc"),
        ["Project's Budget is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "author.cf_3="),
        ["Author's City cannot be blank"]
    );
    assert_eq!(
        errors(&world, "alice", "assigned_to.cf_5="),
        ["Assignee's Floor cannot be blank"]
    );
    assert_eq!(
        errors(&world, "alice", "fixed_version.cf_7=2024-02-30"),
        ["Target version's Release is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "cf_9.due_date=never"),
        ["Milestone's Due date is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "cf_9.status="),
        ["Milestone's Status cannot be blank"]
    );
    assert_eq!(
        errors(
            &world,
            "alice",
            "f[]=cf_8.cf_3&op[cf_8.cf_3]=%3E%3D&v[cf_8.cf_3][]=1"
        ),
        ["Reviewer's City is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "project.cf_1[]=x"),
        ["project.cf_1 must be one text, such as project.cf_1=1|2"]
    );
}

#[test]
fn negation_of_a_field_with_several_values_also_finds_issues_without_a_version() {
    let world = world();
    patch(&world, "custom_fields", 6, &[("multiple", 1.into())]);
    let filters: &[(&str, &[i64])] = &[
        ("fixed_version.cf_6=!Apollo", &[7, 6, 5, 4, 3, 2]),
        ("fixed_version.cf_6=Apollo", &[1]),
        ("fixed_version.cf_6=!*", &[2]),
    ];
    assert_found(&world, "admin", filters);
}
