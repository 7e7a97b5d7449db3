//! Today in the time zone of the user, in filters, defaults and rules (compatibility 6.3, 9).

use super::{ids, log, logged};
use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn default_day(world: &World, login: &str) -> Value {
    logged(world, login, json!({"project_id": 1, "hours": 1}))["spent_on"].clone()
}

#[test]
fn spent_on_is_today_of_the_user_by_default_and_in_filters() {
    let world = World::with_bob_in_kiritimati();
    assert_eq!(
        (default_day(&world, "alice"), default_day(&world, "bob")),
        (json!("2026-11-20"), json!("2026-11-21"))
    );
    for (filter, alice, bob) in [
        ("spent_on=t", vec![1], vec![2]),
        ("spent_on=ld", vec![], vec![1]),
        ("spent_on=%3E%3Ct-0", vec![1], vec![2]),
        ("spent_on=2026-11-20", vec![1], vec![1]),
        ("from=2026-11-21", vec![2], vec![2]),
    ] {
        assert_eq!(
            (ids(&world, "alice", filter), ids(&world, "bob", filter)),
            (alice, bob),
            "{filter}"
        );
    }
}

fn log_on(world: &World, login: &str, day: &str) -> Response {
    log(
        world,
        login,
        json!({"project_id": 1, "hours": 1, "spent_on": day}),
    )
}

#[test]
fn dates_are_in_the_future_after_today_of_the_user() {
    let world = World::with_bob_in_kiritimati();
    world.set(Setting::TimelogAcceptFutureDates, "0");
    log_on(&world, "alice", "2026-11-21")
        .assert_status(422)
        .assert_errors(&["Cannot log time on a future date"]);
    log_on(&world, "bob", "2026-11-21").assert_status(201);
    log_on(&world, "bob", "2026-11-22")
        .assert_status(422)
        .assert_errors(&["Cannot log time on a future date"]);
}

#[test]
fn groups_of_the_creation_are_days_of_the_user() {
    let world = World::with_bob_in_kiritimati();
    for (hours, created) in [
        (2, "2026-11-18T09:00:00Z"),
        (1, "2026-11-18T11:00:00Z"),
        (3, "2026-11-17T23:00:00Z"),
    ] {
        let entry = logged(&world, "alice", json!({"project_id": 1, "hours": hours}));
        let created = created.parse::<jiff::Timestamp>().unwrap().as_microsecond();
        world.sql(&format!(
            "UPDATE time_entries SET created_on = {created} WHERE id = {}",
            entry["id"]
        ));
    }
    assert_eq!(
        ids(&world, "alice", "group_by=created_on&sort=hours"),
        [2, 1, 3]
    );
    assert_eq!(
        ids(&world, "bob", "group_by=created_on&sort=hours:desc"),
        [2, 3, 1]
    );
}
