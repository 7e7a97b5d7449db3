//! Days of filters and defaults in the time zone of the user (compatibility 6.3).

use super::ids;
use super::rows::issue;
use quarry_world::World;
use serde_json::{Value, json};

#[test]
fn relative_dates_count_from_today_in_the_zone_of_the_user() {
    let world = World::with_bob_in_kiritimati();
    for day in ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"] {
        world
            .issue("open")
            .field("start_date", "2026-11-01")
            .field("due_date", day)
            .create();
    }
    for (filter, alice, bob) in [
        ("due_date=t", vec![2], vec![3]),
        ("due_date=today", vec![2], vec![3]),
        ("due_date=nd_", vec![3], vec![4]),
        ("due_date=t-1", vec![1], vec![2]),
        ("due_date=ld", vec![1], vec![2]),
        ("due_date=t%2B1", vec![3], vec![4]),
        ("due_date=%3Ct-1", vec![1], vec![2, 1]),
        ("due_date=%3E%3Ct-1", vec![2, 1], vec![3, 2]),
        ("due_date=2026-11-20", vec![2], vec![2]),
        ("start_date=t-19", vec![4, 3, 2, 1], vec![]),
        ("start_date=t-20", vec![], vec![4, 3, 2, 1]),
    ] {
        assert_eq!(
            (ids(&world, "alice", filter), ids(&world, "bob", filter)),
            (alice, bob),
            "{filter}"
        );
    }
    let long = "f[]=due_date&op[due_date]=t&v[due_date][]=";
    assert_eq!(
        (ids(&world, "alice", long), ids(&world, "bob", long)),
        (vec![2], vec![3])
    );
}

#[test]
fn days_of_instants_begin_at_midnight_of_the_user() {
    let world = World::with_bob_in_kiritimati();
    for (id, time) in [
        (1, "2026-11-20T09:59:59Z"),
        (2, "2026-11-20T10:00:00Z"),
        (3, "2026-11-20T12:00:00Z"),
    ] {
        let created = time.parse::<jiff::Timestamp>().unwrap().as_microsecond();
        issue(
            &world,
            id,
            1,
            &[
                ("created_on", created.into()),
                ("updated_on", created.into()),
            ],
        );
    }
    for (filter, alice, bob) in [
        ("created_on=t", vec![3, 2, 1], vec![3, 2]),
        ("updated_on=today", vec![3, 2, 1], vec![3, 2]),
        ("updated_on=ld", vec![], vec![1]),
        ("created_on=ld", vec![], vec![1]),
        ("created_on=2026-11-20", vec![3, 2, 1], vec![1]),
        ("created_on=%3E%3D2026-11-21", vec![], vec![3, 2]),
        (
            "created_on=%3C%3D2026-11-20T10:00:00Z",
            vec![2, 1],
            vec![2, 1],
        ),
    ] {
        assert_eq!(
            (ids(&world, "alice", filter), ids(&world, "bob", filter)),
            (alice, bob),
            "{filter}"
        );
    }
}

#[test]
fn zones_may_have_names_of_redmine() {
    let world = World::with_projects();
    world.issue("open").field("due_date", "2026-11-20").create();
    for (zone, today) in [
        ("Tokyo", 1),
        ("Samoa", 0),
        ("Midway Island", 1),
        ("Nowhere", 1),
        ("", 1),
    ] {
        world.sql(&format!(
            "UPDATE users SET time_zone = '{zone}' WHERE id = 3"
        ));
        assert_eq!(ids(&world, "bob", "due_date=t").len(), today, "{zone}");
    }
}

fn start_date(world: &World, login: &str) -> Value {
    let id = world.issue("open").author(login).create();
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue/start_date")
}

#[test]
fn default_start_date_is_today_of_the_user() {
    let world = World::with_bob_in_kiritimati();
    assert_eq!(
        (start_date(&world, "alice"), start_date(&world, "bob")),
        (json!("2026-11-20"), json!("2026-11-21"))
    );
}
