//! Changes of the project and the tracker of an issue (compatibility 6.5).

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::ids::TrackerId;
use quarry::store::administration::custom_fields;
use quarry_world::{DEVELOPER, MANAGER, Response, World};
use serde_json::{Value, json};

fn update(world: &World, parent: i64, login: &str, body: Value) -> Response {
    world
        .as_user(login)
        .put(&format!("/issues/{parent}.json"), json!({"issue": body}))
}

fn move_to_other(world: &World, parent: i64) -> Response {
    update(
        world,
        parent,
        "admin",
        json!({"project_id": "other", "subject": "Moved", "notes": "along"}),
    )
}

#[test]
fn subtask_whose_tracker_the_new_project_lacks_prevents_the_move() {
    let world = World::with_projects();
    world
        .project("other")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world.sql("DELETE FROM project_trackers WHERE project_id = 3 AND tracker_id = 2");
    let parent = world.issue("open").field("tracker_id", 1).create();
    let child = world
        .issue("open")
        .field("tracker_id", 1)
        .parent(parent)
        .create();
    let grandchild = world
        .issue("open")
        .field("tracker_id", 2)
        .parent(child)
        .create();
    let before = [parent, child, grandchild].map(|id| world.show_issue("alice", id, "journals"));
    let message = format!(
        "Subtask #{grandchild} could not be moved to the new project: Tracker is not included in the list"
    );
    move_to_other(&world, parent)
        .assert_status(422)
        .assert_errors(&[&message]);
    assert_eq!(
        [parent, child, grandchild].map(|id| world.show_issue("alice", id, "journals")),
        before,
        "nothing has changed"
    );
    // The tracker of the issue itself becomes one that exists there, and a subtask elsewhere does
    // not move.
    world.edit(grandchild, |issue| issue.tracker = 1.into());
    world.edit(parent, |issue| issue.tracker = 2.into());
    let moved = move_to_other(&world, parent)
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(
        (&moved["project"]["id"], &moved["tracker"]["id"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(
        world.show_issue("alice", grandchild, "journals")["project"]["id"],
        3
    );
    // What the viewer cannot see is not named.
    world.edit(grandchild, |issue| {
        (issue.private, issue.tracker) = (true, 2.into())
    });
    world.sql("DELETE FROM project_trackers WHERE project_id = 1 AND tracker_id = 2");
    let hidden = update(&world, parent, "bob", json!({"project_id": 1}))
        .assert_status(422)
        .errors();
    assert_eq!(
        hidden,
        ["Project cannot be changed because the issue has subtasks that you cannot see"]
    );
}

#[test]
fn new_tracker_brings_blank_defaults_too() {
    let world = World::with_projects();
    for (name, default) in [("Blank", Some("")), ("None", None), ("Set", Some("x"))] {
        world.write(move |db| {
            let mut field = CustomField::new(Customized::Issue, name, Format::Line);
            field.trackers = [TrackerId(2)].into();
            field.default = default.map(str::to_owned);
            custom_fields::insert(db, &field)
        });
    }
    let id = world.issue("open").field("tracker_id", 1).create();
    let body = json!({"issue": {"tracker_id": 2}});
    let changed = world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), body)
        .assert_status(200)
        .json_path("/issue");
    let values: Vec<Value> = changed["custom_fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["value"].clone())
        .collect();
    assert_eq!(values, [json!(""), Value::Null, json!("x")]);
    let details = world.show_issue("alice", id, "journals")["journals"][0]["details"].clone();
    let fields: Vec<&Value> = details
        .as_array()
        .unwrap()
        .iter()
        .filter(|detail| detail["property"] == "cf")
        .collect();
    assert_eq!(fields.len(), 1, "a blank default is no change: {details}");
}
