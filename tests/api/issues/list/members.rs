//! Filters by the groups and roles of the people of an issue (compatibility 6.3).

use super::fields::{GROUP, check, insert_group, world};
use super::rows::{issue, patch};
use quarry::domain::ids::ProjectId;
use quarry::store::accounts::memberships;
use quarry_world::{DEVELOPER, REPORTER, World};

/// Makes the group a reporter in project 1.
fn add_group_to_project(world: &World) {
    let now = world.app.clock.now();
    world.write(move |db| memberships::insert(db, ProjectId(1), GROUP, &[REPORTER], now));
}

#[test]
fn hidden_groups_do_not_match() {
    let world = world();
    insert_group(&world, &["bob"]);
    check(
        &world,
        "bob",
        &[("member_of_group=50", &[1]), ("member_of_group=*", &[1])],
    );
    patch(
        &world,
        "roles",
        DEVELOPER.0,
        &[("users_visibility", "members_of_visible_projects".into())],
    );
    // Users see the groups that they belong to.
    check(&world, "bob", &[("member_of_group=50", &[1])]);
    let carol: &[(&str, &[i64])] = &[
        ("member_of_group=50", &[1]),
        ("member_of_group=!50", &[6, 5, 4, 3, 2]),
    ];
    check(&world, "carol", carol);
    patch(
        &world,
        "roles",
        REPORTER.0,
        &[("users_visibility", "members_of_visible_projects".into())],
    );
    check(
        &world,
        "carol",
        &[("author.group=*", &[]), ("author.group=50", &[])],
    );
    check(
        &world,
        "carol",
        &[
            ("member_of_group=50", &[]),
            ("member_of_group=!50", &[6, 5, 4, 3, 2, 1]),
            ("member_of_group=*", &[]),
        ],
    );
    add_group_to_project(&world);
    check(&world, "carol", carol);
}

#[test]
fn roles_through_groups_and_parents_match() {
    let world = world();
    insert_group(&world, &["dave"]);
    add_group_to_project(&world);
    let low = world.project("low").create();
    patch(
        &world,
        "projects",
        low.0,
        &[("parent_id", 1.into()), ("inherit_members", 1.into())],
    );
    issue(&world, 7, low.0, &[("assigned_to_id", 5.into())]);
    issue(&world, 8, low.0, &[("assigned_to_id", 50.into())]);
    check(&world, "alice", &[("assigned_to_role=5", &[8, 7, 3])]);
    patch(&world, "projects", low.0, &[("inherit_members", 0.into())]);
    check(&world, "alice", &[("assigned_to_role=5", &[3])]);
}
