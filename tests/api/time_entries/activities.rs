//! Activities, shared and project-specific (compatibility 9)

use super::{ids, log, logged, update};
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// In `open`, activity 20 replaces Design, and Development is disabled; 22 exists in `secret` only.
fn with_own() -> World {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO enumerations (id, type, name, position, is_default, active, project_id, parent_id) VALUES \
         (20, 'TimeEntryActivity', 'Drawing', 1, 0, 1, 1, 8), (21, 'TimeEntryActivity', 'Development', 2, 0, 0, 1, 9), \
         (22, 'TimeEntryActivity', 'Drawing', 1, 0, 1, 2, NULL)",
    );
    world
}

fn log_with_activity(world: &World, project: i64, activity: i64) -> Response {
    log(
        world,
        "alice",
        json!({"project_id": project, "hours": 1, "activity_id": activity}),
    )
}

#[test]
fn project_specific_activities_replace_shared_ones() {
    let world = with_own();
    log_with_activity(&world, 1, 20)
        .assert_status(201)
        .assert_json_path("/time_entry/activity/name", "Drawing");
    for (project, activity) in [(1, 8), (1, 9), (1, 21), (1, 22), (2, 20)] {
        assert_eq!(
            log_with_activity(&world, project, activity)
                .assert_status(422)
                .errors(),
            ["Activity is not included in the list"],
            "{project} {activity}"
        );
    }
    for (project, activity) in [(2, 8), (2, 9), (2, 22)] {
        log_with_activity(&world, project, activity).assert_status(201);
    }
    assert_eq!(
        ids(&world, "alice", "activity_id=8&sort=id"),
        [1, 2],
        "what stands for an activity is found with it"
    );
    assert_eq!(ids(&world, "alice", "activity_id=!8&sort=id"), [3, 4]);
    assert_eq!(ids(&world, "alice", "activity_id=20&sort=id"), [1]);
    // A moved entry gets the replaced activity or one of the same name.
    update(&world, "alice", 1, json!({"project_id": 2}))
        .assert_status(200)
        .assert_json_path("/time_entry/activity/id", 8);
    update(&world, "alice", 4, json!({"project_id": 1}))
        .assert_status(200)
        .assert_json_path("/time_entry/activity/id", 20);
    update(&world, "alice", 3, json!({"project_id": 1}))
        .assert_status(422)
        .assert_errors(&["Activity is not included in the list"]);
}

fn fields_of(project: i64) -> Value {
    json!({"activity_id": null, "hours": 1, "project_id": project})
}

#[test]
fn missing_activity_uses_the_default() {
    let world = with_own();
    log(&world, "alice", fields_of(1))
        .assert_status(422)
        .assert_errors(&["Activity cannot be blank"]);
    world.sql("UPDATE enumerations SET is_default = 1 WHERE id = 8");
    assert_eq!(logged(&world, "alice", fields_of(1))["activity"]["id"], 20);
    assert_eq!(logged(&world, "alice", fields_of(2))["activity"]["id"], 8);
}

#[test]
fn inactive_activity_stays_on_existing_entries() {
    let world = World::with_projects();
    logged(&world, "alice", json!({"project_id": 1, "hours": 1}));
    world.sql("UPDATE enumerations SET active = 0 WHERE id = 8");
    log(&world, "alice", json!({"project_id": 1, "hours": 1}))
        .assert_status(422)
        .assert_errors(&["Activity is not included in the list"]);
    update(&world, "alice", 1, json!({"hours": 2, "activity_id": 8}))
        .assert_status(200)
        .assert_json_path("/time_entry/activity/name", "Design");
}

fn activity_of(world: &World, id: i64) -> Value {
    super::show(world, id)["activity"]["id"].clone()
}

#[test]
fn moved_entry_keeps_a_matching_activity() {
    let world = with_own();
    let one = world.issue("open").create();
    let two = world.issue("open").create();
    world.sql("INSERT INTO enumerations (id, type, name, position, active, project_id) VALUES (23, 'TimeEntryActivity', 'Odd', 3, 1, 1)");
    for (issue, activity) in [(one, 20), (one, 23), (two, 20)] {
        logged(
            &world,
            "alice",
            json!({"issue_id": issue, "hours": 1, "activity_id": activity}),
        );
    }
    world
        .as_user("alice")
        .put(
            &format!("/issues/{one}.json"),
            json!({"issue": {"project_id": 2}}),
        )
        .assert_status(200);
    assert_eq!(
        (activity_of(&world, 1), activity_of(&world, 2)),
        (8.into(), 23.into())
    );
    world.sql("UPDATE time_entries SET activity_id = 20 WHERE id = 1");
    world
        .as_user("alice")
        .delete("/projects/open.json")
        .assert_status(200);
    assert_eq!(
        (activity_of(&world, 1), activity_of(&world, 2)),
        (8.into(), 23.into()),
        "what had to stay stays"
    );
    let odd = log(
        &world,
        "alice",
        json!({"project_id": 2, "hours": 1, "activity_id": 23}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(odd, ["Activity is not included in the list"]);
}

fn offered(world: &World, project: &str) -> Vec<i64> {
    let path = format!("/projects/{project}.json?include=time_entry_activities");
    let response = world.as_user("alice").get(&path).assert_status(200).json();
    let activities = response["project"]["time_entry_activities"]
        .as_array()
        .unwrap()
        .clone();
    activities
        .iter()
        .map(|activity| activity["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn project_lists_its_activities() {
    let world = with_own();
    assert_eq!(offered(&world, "open"), [20]);
    assert_eq!(offered(&world, "secret"), [8, 22, 9]);
}
