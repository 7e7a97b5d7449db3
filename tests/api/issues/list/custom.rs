//! Filters and sorting by custom fields (compatibility 6.3).

use super::rows::{self, field, issue, value};
use super::{errors, ids};
use quarry_world::{DEVELOPER, MANAGER, World};

/// A world with five issues by alice and a field of every format.
fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world.project("other").member("alice", MANAGER).create();
    for id in 1..=4 {
        issue(&world, id, 1, &[]);
    }
    issue(&world, 5, 2, &[("tracker_id", 2.into())]);
    field(&world, 1, "Line", "string", &[]);
    field(
        &world,
        2,
        "List",
        "list",
        &[
            ("multiple", 1.into()),
            ("possible_values_json", r#"["Linux","Mac","Beos"]"#.into()),
        ],
    );
    field(&world, 3, "Whole", "int", &[]);
    field(&world, 4, "Number", "float", &[]);
    field(&world, 5, "Day", "date", &[]);
    field(&world, 6, "Switch", "bool", &[]);
    field(&world, 7, "Person", "user", &[]);
    field(&world, 8, "Kind", "enumeration", &[]);
    field(&world, 9, "Long", "text", &[]);
    field(
        &world,
        10,
        "Unfiltered",
        "string",
        &[("is_filter", 0.into())],
    );
    let values: &[(i64, i64, &str)] = &[
        (1, 1, "b-78"),
        (2, 1, "b-7"),
        (3, 1, ""),
        (1, 2, "Linux"),
        (1, 2, "Mac"),
        (2, 2, "Mac"),
        (1, 3, "9"),
        (2, 3, "10"),
        (1, 4, "1.5"),
        (2, 4, "-2"),
        (1, 5, "2024-02-29"),
        (2, 5, "2026-11-20"),
        (1, 6, "1"),
        (2, 6, "0"),
        (1, 7, "2"),
        (2, 7, "3"),
        (1, 8, "2"),
        (2, 8, "1"),
        (1, 9, "Ein Überblick\r\nüber alles"),
        (1, 10, "x"),
    ];
    for (row, (issue, field, text)) in (1..).zip(values) {
        value(&world, row, *issue, *field, text);
    }
    for (id, name, position) in [(1, "small", 2), (2, "large", 1)] {
        rows::update(
            &world,
            "custom_field_enumerations",
            id,
            &[
                ("custom_field_id", 8.into()),
                ("name", name.into()),
                ("position", position.into()),
            ],
        );
    }
    world
}

#[test]
fn every_format_supports_its_operators() {
    let world = world();
    for (question, expected) in [
        ("cf_1=b-7", vec![2]),
        ("cf_1=b-7|b-78", vec![2, 1]),
        ("cf_1=~B-7", vec![2, 1]),
        ("cf_1=^b", vec![2, 1]),
        ("cf_1=$8", vec![1]),
        ("cf_1=!b-7", vec![5, 4, 3, 1]),
        ("cf_1=!~b-78", vec![3, 2]),
        ("cf_1=*", vec![2, 1]),
        ("cf_1=!*", vec![5, 4, 3]),
        ("cf_2=Mac", vec![2, 1]),
        ("cf_2=Linux|Beos", vec![1]),
        ("cf_2=!Linux", vec![5, 4, 3, 2]),
        ("cf_2=*", vec![2, 1]),
        ("cf_2=!*", vec![5, 4, 3]),
        ("cf_3=10", vec![2]),
        ("cf_3=>=9", vec![2, 1]),
        ("cf_3=<=9", vec![1]),
        ("cf_3=><9|9", vec![1]),
        ("cf_3=*", vec![2, 1]),
        ("cf_4=-2", vec![2]),
        ("cf_4=>=1.5", vec![1]),
        ("cf_5=2024-02-29", vec![1]),
        ("cf_5=t", vec![2]),
        ("cf_5=<=2024-12-31", vec![1]),
        ("cf_5=!*", vec![5, 4, 3]),
        ("cf_6=1", vec![1]),
        ("cf_6=!1", vec![5, 4, 3, 2]),
        ("cf_7=me", vec![1]),
        ("cf_7=3", vec![2]),
        ("cf_8=2", vec![1]),
        ("cf_9=~ÜBERBLICK ÜBER", vec![1]),
        ("cf_9=!~überblick", vec![]),
        (
            "f[]=cf_2&op[cf_2]==&v[cf_2][]=Linux&v[cf_2][]=Beos",
            vec![1],
        ),
    ] {
        let requested = question
            .replace('>', "%3E")
            .replace('<', "%3C")
            .replace(' ', "%20")
            .replace('Ü', "%C3%9C")
            .replace('ü', "%C3%BC");
        assert_eq!(ids(&world, "alice", &requested), expected, "{question}");
    }
}

#[test]
fn invalid_values_are_reported_with_the_field_name() {
    let world = world();
    assert_eq!(errors(&world, "alice", "cf_3=abc"), ["Whole is invalid"]);
    assert_eq!(errors(&world, "alice", "cf_4="), ["Number cannot be blank"]);
    assert_eq!(
        errors(&world, "alice", "cf_5=2024-02-30"),
        ["Day is invalid"]
    );
    assert_eq!(errors(&world, "alice", "cf_2="), ["List cannot be blank"]);
    world
        .as_user("alice")
        .get("/issues.xml?cf_3=abc")
        .assert_status(422)
        .assert_errors(&["Whole is invalid"]);
    let many = vec!["Mac"; 1000].join("|");
    assert_eq!(ids(&world, "alice", &format!("cf_2={many}")), [2, 1]);
    let others: Vec<String> = (0..3)
        .map(|n| format!("cf_{}={many}", [2, 6, 8][n]))
        .collect();
    let too_many = format!("{}&cf_7=1", others.join("&"));
    assert_eq!(
        errors(&world, "alice", &too_many),
        ["The filters have more than 3000 values"]
    );
}

#[test]
fn unfilterable_field_is_unknown_and_missing_field_is_empty() {
    let world = world();
    let unfiltered = world
        .as_user("alice")
        .get("/issues.json?cf_10=x")
        .assert_status(200);
    assert!(
        unfiltered.header("warning").contains("cf_10") && unfiltered.json()["total_count"] == 5,
        "{unfiltered:?}"
    );
    // Values left behind by a field that was removed from the tracker or project are ignored.
    value(&world, 50, 5, 1, "left");
    assert_eq!(ids(&world, "alice", "cf_1=left"), [5]);
    rows::set(
        &world,
        "custom_fields_trackers",
        "custom_field_id",
        1,
        &[&[("tracker_id", 1.into())]],
    );
    assert_eq!(ids(&world, "alice", "cf_1=left"), [0_i64; 0]);
    assert_eq!(ids(&world, "alice", "cf_1=!*"), [4, 3]);
    rows::set(
        &world,
        "custom_fields_projects",
        "custom_field_id",
        3,
        &[&[("project_id", 2.into())]],
    );
    rows::patch(&world, "custom_fields", 3, &[("is_for_all", 0.into())]);
    assert_eq!(ids(&world, "alice", "cf_3=*"), [0_i64; 0]);
}

#[test]
fn custom_fields_are_sortable() {
    let world = world();
    assert_eq!(
        ids(&world, "alice", "sort=cf_3"),
        [5, 4, 3, 1, 2],
        "9 is less than 10"
    );
    assert_eq!(ids(&world, "alice", "sort=cf_3:desc"), [2, 1, 5, 4, 3]);
    assert_eq!(ids(&world, "alice", "sort=cf_4:desc"), [1, 2, 5, 4, 3]);
    assert_eq!(ids(&world, "alice", "sort=cf_1:desc,id"), [1, 2, 3, 4, 5]);
    assert_eq!(
        ids(&world, "alice", "sort=cf_8:desc"),
        [2, 1, 5, 4, 3],
        "enumerations by their positions"
    );
    assert_eq!(
        ids(&world, "alice", "sort=cf_7:desc,id"),
        [2, 1, 3, 4, 5],
        "people by name"
    );
    assert_eq!(
        ids(&world, "alice", "sort=cf_5:desc,cf_2,id"),
        [2, 1, 3, 4, 5]
    );
    assert_eq!(ids(&world, "alice", "sort=cf_99,cf_x,cf_"), [5, 4, 3, 2, 1]);
}
