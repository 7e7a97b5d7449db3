//! Activities, also those of single projects (contract 7)

use super::{ids, log, logged, put, world};
use crate::world::World;

/// In `open`, 20 stands for Design, and Development is off; 22 is of `secret` alone.
fn with_own() -> World {
    let world = world();
    world.sql(
        "INSERT INTO enumerations (id, type, name, position, is_default, active, project_id, parent_id) VALUES \
         (20, 'TimeEntryActivity', 'Drawing', 1, 0, 1, 1, 8), (21, 'TimeEntryActivity', 'Development', 2, 0, 0, 1, 9), \
         (22, 'TimeEntryActivity', 'Drawing', 1, 0, 1, 2, NULL)",
    );
    world
}

#[test]
fn a_project_offers_its_own() {
    let world = with_own();
    let on =
        |project: i64, activity: i64| log(&world, "alice", &format!("\"project_id\":{project},\"hours\":1,\"activity_id\":{activity}"));
    assert_eq!(on(1, 20).expect(201).json()["time_entry"]["activity"]["name"], "Drawing");
    for (project, activity) in [(1, 8), (1, 9), (1, 21), (1, 22), (2, 20)] {
        assert_eq!(on(project, activity).expect(422).errors(), ["Activity is not included in the list"], "{project} {activity}");
    }
    for (project, activity) in [(2, 8), (2, 9), (2, 22)] {
        let _ = on(project, activity).expect(201);
    }
    assert_eq!(ids(&world, "alice", "activity_id=8&sort=id"), [1, 2], "what stands for an activity is found with it");
    assert_eq!(ids(&world, "alice", "activity_id=!8&sort=id"), [3, 4]);
    assert_eq!(ids(&world, "alice", "activity_id=20&sort=id"), [1]);
    // Moved, it has the activity that is there for the same, or of the same name.
    assert_eq!(put(&world, "alice", 1, "\"project_id\":2").expect(200).json()["time_entry"]["activity"]["id"], 8);
    assert_eq!(put(&world, "alice", 4, "\"project_id\":1").expect(200).json()["time_entry"]["activity"]["id"], 20);
    assert_eq!(put(&world, "alice", 3, "\"project_id\":1").expect(422).errors(), ["Activity is not included in the list"]);
}

#[test]
fn the_default_is_taken_when_nothing_is_said() {
    let world = with_own();
    let nothing = "\"activity_id\":null,\"hours\":1,\"project_id\":";
    assert_eq!(log(&world, "alice", &format!("{nothing}1")).expect(422).errors(), ["Activity cannot be blank"]);
    world.sql("UPDATE enumerations SET is_default = 1 WHERE id = 8");
    assert_eq!(logged(&world, "alice", &format!("{nothing}1"))["activity"]["id"], 20);
    assert_eq!(logged(&world, "alice", &format!("{nothing}2"))["activity"]["id"], 8);
}

#[test]
fn an_activity_that_is_gone_stays_where_it_is() {
    let world = world();
    logged(&world, "alice", "\"project_id\":1,\"hours\":1");
    world.sql("UPDATE enumerations SET active = 0 WHERE id = 8");
    assert_eq!(log(&world, "alice", "\"project_id\":1,\"hours\":1").expect(422).errors(), ["Activity is not included in the list"]);
    assert_eq!(put(&world, "alice", 1, "\"hours\":2,\"activity_id\":8").expect(200).json()["time_entry"]["activity"]["name"], "Design");
}

#[test]
fn time_that_goes_to_another_project_keeps_an_activity() {
    let world = with_own();
    let (one, two) = (world.issue("open", ""), world.issue("open", ""));
    world.sql("INSERT INTO enumerations (id, type, name, position, active, project_id) VALUES (23, 'TimeEntryActivity', 'Odd', 3, 1, 1)");
    for (issue, activity) in [(one, 20), (one, 23), (two, 20)] {
        logged(&world, "alice", &format!("\"issue_id\":{issue},\"hours\":1,\"activity_id\":{activity}"));
    }
    let activity = |id: i64| super::show(&world, id)["activity"]["id"].clone();
    let _ = world.as_user("alice").put(&format!("/issues/{one}.json"), r#"{"issue":{"project_id":2}}"#).expect(200);
    assert_eq!((activity(1), activity(2)), (8.into(), 23.into()));
    world.sql("UPDATE time_entries SET activity_id = 20 WHERE id = 1");
    let _ = world.as_user("alice").delete("/projects/open.json").expect(200);
    assert_eq!((activity(1), activity(2)), (8.into(), 23.into()), "what had to stay stays");
    let odd = log(&world, "alice", "\"project_id\":2,\"hours\":1,\"activity_id\":23").expect(422).errors();
    assert_eq!(odd, ["Activity is not included in the list"]);
}

#[test]
fn a_project_says_what_it_offers() {
    let world = with_own();
    let offered = |project: &str| {
        let path = format!("/projects/{project}.json?include=time_entry_activities");
        let answer = world.as_user("alice").get(&path).expect(200).json();
        let activities = answer["project"]["time_entry_activities"].as_array().unwrap().clone();
        activities.iter().map(|activity| activity["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(offered("open"), [20]);
    assert_eq!(offered("secret"), [8, 22, 9]);
}
