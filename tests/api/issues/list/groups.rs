//! Groups of the list by custom fields and by days (compatibility 6.3).

use super::rows::{field, field_roles, issue, set, update, value};
use quarry_world::{DEVELOPER, MANAGER, World};

/// Returns the ids of the matching issues in their order; asserts that the total fits.
#[track_caller]
fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let ids = super::ids(world, login, query);
    let total = world
        .as_user(login)
        .get(&format!("/issues.json?{query}"))
        .assert_status(200)
        .integer("/total_count");
    assert_eq!(usize::try_from(total).unwrap(), ids.len(), "{query}");
    ids
}

#[test]
fn groups_of_a_custom_field_have_the_issues_with_that_field() {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world.project("other").member("alice", MANAGER).create();
    for (id, project, tracker) in [(1, 1, 1_i64), (2, 1, 2), (3, 1, 1), (4, 1, 1), (5, 2, 1)] {
        issue(&world, id, project, &[("tracker_id", tracker.into())]);
    }
    field(
        &world,
        1,
        "System",
        "list",
        &[("possible_values_json", r#"["Linux","Mac"]"#.into())],
    );
    set(
        &world,
        "custom_fields_trackers",
        "custom_field_id",
        1,
        &[&[("tracker_id", 1.into())]],
    );
    value(&world, 1, 1, 1, "Mac");
    value(&world, 2, 3, 1, "Linux");
    value(&world, 3, 2, 1, "Linux");
    assert_eq!(
        ids(&world, "alice", "group_by=cf_1&sort=id"),
        [4, 5, 3, 1],
        "issues without a value are in the list"
    );
    assert_eq!(ids(&world, "alice", "group_by=cf_1&cf_1=*&sort=id"), [3, 1]);
    assert_eq!(
        ids(&world, "alice", "sort=cf_1,id"),
        [2, 4, 5, 3, 1],
        "a sort leaves out nothing"
    );
    update(
        &world,
        "queries",
        1,
        &[
            ("type", "IssueQuery".into()),
            ("name", "by system".into()),
            ("user_id", 2.into()),
            ("visibility", 2.into()),
            (
                "filters_json",
                r#"{"status_id":{"operator":"*","values":[""]}}"#.into(),
            ),
            ("group_by", "cf_1".into()),
        ],
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1&sort=id"),
        [4, 5, 3, 1],
        "the group of a saved query, too"
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1&sort=id&group_by=tracker"),
        [1, 3, 4, 5, 2]
    );
    super::rows::patch(&world, "custom_fields", 1, &[("is_for_all", 0.into())]);
    set(
        &world,
        "custom_fields_projects",
        "custom_field_id",
        1,
        &[&[("project_id", 1.into())]],
    );
    assert_eq!(
        ids(&world, "alice", "group_by=cf_1&sort=id"),
        [4, 3, 1],
        "the other project does not have it"
    );
    super::rows::patch(&world, "custom_fields", 1, &[("visible", 0.into())]);
    field_roles(&world, 1, &[MANAGER.0]);
    assert_eq!(
        ids(&world, "bob", "group_by=cf_1&sort=id"),
        [1, 2, 3, 4, 5],
        "a field that he cannot see makes no groups"
    );
}

#[test]
fn groups_of_an_instant_are_days_of_the_user() {
    let world = World::with_projects();
    for (subject, hour) in [
        ("d", "2026-11-18T09"),
        ("b", "2026-11-18T11"),
        ("a", "2026-11-18T08"),
        ("c", "2026-11-17T23"),
    ] {
        let id = world.issue("open").subject(subject).create();
        let updated: jiff::Timestamp = format!("{hour}:00:00Z").parse().unwrap();
        world.edit(id, move |issue| issue.updated_on = updated);
    }
    assert_eq!(
        ids(&world, "alice", "group_by=updated_on&sort=subject"),
        [3, 2, 1, 4]
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "group_by=updated_on&sort=subject,updated_on:asc"
        ),
        [4, 3, 2, 1]
    );
    assert_eq!(
        ids(&world, "alice", "group_by=updated_on&sort=updated_on:desc"),
        [2, 1, 3, 4],
        "within a day by the instant"
    );
    // Fourteen hours ahead, the second is on the 19th and the last on the 18th.
    world.sql("UPDATE users SET time_zone = 'Pacific/Kiritimati' WHERE id = 3");
    assert_eq!(
        ids(&world, "bob", "group_by=updated_on&sort=subject"),
        [2, 3, 4, 1]
    );
    world.sql("UPDATE users SET time_zone = 'Nowhere' WHERE id = 3");
    assert_eq!(
        ids(&world, "bob", "group_by=updated_on&sort=subject"),
        [3, 2, 1, 4],
        "an unknown zone is UTC"
    );
}
