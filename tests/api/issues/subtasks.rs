//! Subtasks: values that a parent derives, and which issues may be parents (compatibility 6.4)

use super::rules::{details, errors, show, update};
use quarry_world::{MANAGER, Response, World};
use serde_json::{Value, json};

#[test]
fn parent_values_are_computed_from_subtasks() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    let one = world
        .issue("open")
        .parent(parent)
        .field("estimated_hours", "4h")
        .field("start_date", "2024-03-01")
        .field("due_date", "2024-03-10")
        .field("priority_id", 4)
        .create();
    let two = world
        .issue("open")
        .parent(parent)
        .field("estimated_hours", 2)
        .field("start_date", "2024-03-05")
        .create();
    let issue = show(&world, parent);
    assert_eq!(issue["start_date"], "2024-03-01");
    assert_eq!(issue["due_date"], "2024-03-10");
    assert_eq!(issue["priority"]["id"], 4);
    assert_eq!(issue["total_estimated_hours"], 6.0);
    assert_eq!(
        details(&issue),
        [
            format!("child_id null \"{one}\""),
            format!("child_id null \"{two}\"")
        ]
    );
    update(
        &world,
        "alice",
        parent,
        json!({"done_ratio": 90, "priority_id": 1, "start_date": "2020-01-01"}),
    );
    update(&world, "alice", one, json!({"status_id": 5}));
    let issue = show(&world, parent);
    assert_eq!(issue["done_ratio"], 66);
    assert_eq!(issue["priority"]["id"], 2);
    assert_eq!(issue["start_date"], "2024-03-01");
    // Closed and deleted subtasks do not count; an open subtask keeps the parent open.
    assert_eq!(
        update(&world, "alice", parent, json!({"status_id": 5}))["status"]["id"],
        1
    );
    world
        .as_user("alice")
        .delete(&format!("/issues/{one}.json"))
        .assert_status(200);
    assert_eq!(show(&world, parent)["done_ratio"], 0);
    update(&world, "alice", two, json!({"parent_issue_id": ""}));
    assert_eq!(
        update(&world, "alice", parent, json!({"status_id": 5}))["status"]["id"],
        5
    );
}

#[test]
fn parent_must_not_be_itself_hidden_or_closed() {
    let world = World::with_projects();
    let top = world.issue("open").create();
    let middle = world.issue("open").create();
    update(
        &world,
        "alice",
        middle,
        json!({"parent_issue_id": format!("#{top}")}),
    );
    let hidden = world.issue("secret").author("admin").create();
    for wrong in [
        json!(top),
        json!(middle),
        json!(9999),
        json!("x"),
        json!(hidden),
    ] {
        assert_eq!(
            errors(&world, top, json!({"parent_issue_id": wrong})),
            ["Parent task is invalid"],
            "{wrong}"
        );
    }
    let closed = world.issue("open").create();
    update(&world, "alice", closed, json!({"status_id": 5}));
    let sentence = "An open issue cannot be attached to a closed parent task";
    assert_eq!(
        errors(&world, middle, json!({"parent_issue_id": closed})),
        [sentence]
    );
    // Without permission the field is ignored.
    assert!(
        update(&world, "carol", middle, json!({"parent_issue_id": closed}))["parent"]["id"] == top
    );
}

#[test]
fn blocked_parents_and_subtasks_do_not_deadlock() {
    let world = World::with_projects();
    for kind in ["precedes", "blocks", "follows", "blocked"] {
        let [top, above, one, below] = [
            world.issue("open").create(),
            world.issue("open").create(),
            world.issue("open").create(),
            world.issue("open").create(),
        ];
        update(&world, "alice", above, json!({"parent_issue_id": top}));
        update(&world, "alice", below, json!({"parent_issue_id": one}));
        relate(&world, top, below, kind);
        assert_eq!(
            errors(&world, one, json!({"parent_issue_id": above})),
            ["Parent task is invalid"],
            "{kind}"
        );
        assert!(show(&world, one).get("parent").is_none());
    }
    let [parent, part] = [world.issue("open").create(), world.issue("open").create()];
    relate(&world, parent, part, "relates");
    assert_eq!(
        update(&world, "alice", part, json!({"parent_issue_id": parent}))["parent"]["id"],
        parent
    );
}

#[test]
fn hidden_subtasks_are_not_moved_into_visible_projects() {
    let world = World::with_projects();
    world.project("own").member("bob", MANAGER).create();
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 4");
    let top = world.issue("open").author("bob").create();
    let part = world.issue("open").parent(top).create();
    let hidden = world.issue("open").parent(part).private().create();
    let bob = world.as_user("bob");
    let body = json!({"issue": {"project_id": "own", "subject": "Moved"}});
    let rejected = bob
        .put(&format!("/issues/{top}.json"), body)
        .assert_status(422);
    assert_eq!(
        rejected.errors(),
        ["Project cannot be changed because the issue has subtasks that you cannot see"]
    );
    assert_eq!(
        [top, part, hidden].map(|id| show(&world, id)["project"]["id"].as_i64()),
        [Some(1); 3]
    );
    assert_eq!(
        show(&world, top)["subject"],
        "A thing",
        "nothing else was changed either"
    );
    bob.get(&format!("/issues/{hidden}.json"))
        .assert_status(403);
    // Subtasks visible to the viewer move along, independent of their author.
    world.edit(hidden, |issue| issue.private = false);
    update(&world, "bob", top, json!({"project_id": "own"}));
    let own = [top, part, hidden].map(|id| {
        world
            .as_user("bob")
            .get(&format!("/issues/{id}.json"))
            .assert_status(200)
            .json()["issue"]["project"]["id"]
            .as_i64()
    });
    assert_eq!(own, [Some(3); 3]);
}

#[test]
fn hidden_parent_is_neither_disclosed_nor_removed() {
    let world = World::with_projects();
    let hidden = world.issue("open").create();
    let part = world.issue("open").parent(hidden).create();
    world.edit(hidden, |issue| issue.private = true);
    world.sql(
        "INSERT INTO role_permissions (role_id, name) VALUES (4, 'manage_subtasks') ON CONFLICT DO NOTHING",
    );
    for id in [hidden, 9999] {
        let body = json!({"issue": {"parent_issue_id": id}});
        let response = world
            .as_user("bob")
            .put(&format!("/issues/{part}.json"), &body)
            .assert_status(422);
        assert_eq!(response.errors(), ["Parent task is invalid"], "{id}");
    }
    assert!(
        update(&world, "bob", part, json!({"parent_issue_id": ""}))
            .get("parent")
            .is_none(),
        "not seen"
    );
    assert_eq!(
        show(&world, part)["parent"]["id"],
        hidden,
        "and still there"
    );
    assert!(
        update(&world, "alice", part, json!({"parent_issue_id": ""}))
            .get("parent")
            .is_none()
    );
}

fn create_with_hours(world: &World, parent: i64, hours: &str) -> Response {
    let body = format!(
        r#"{{"issue":{{"project_id":"open","subject":"x","parent_issue_id":{parent},"estimated_hours":{hours}}}}}"#
    );
    world.as_user("alice").post("/issues.json", &body)
}

#[test]
fn hours_are_bounded() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    create_with_hours(&world, parent, "1e308")
        .assert_status(422)
        .assert_errors(&["Estimated time is invalid"]);
    create_with_hours(&world, parent, "1000000001")
        .assert_status(422)
        .assert_errors(&["Estimated time is invalid"]);
    create_with_hours(&world, parent, "1000000000").assert_status(201);
    create_with_hours(&world, parent, "1e9").assert_status(201);
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{parent}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["total_estimated_hours"], 2e9);
    let body = r#"{"time_entry":{"project_id":"open","activity_id":8,"hours":1e308}}"#;
    world
        .as_user("alice")
        .post("/time_entries.json", body)
        .assert_status(422)
        .assert_errors(&["Hours is invalid"]);
}

fn done_ratio(world: &World, id: i64) -> i64 {
    show(world, id)["done_ratio"].as_i64().unwrap()
}

fn expected_ratios(own: f64, ratio: f64) -> Vec<i64> {
    let mut below = own;
    let mut ratio = ratio;
    let mut found = Vec::new();
    for level in (1..=5).rev() {
        let sibling = f64::from(10 - level);
        ratio = ((below * ratio + sibling * 100.0) / (below + sibling) + 1e-9).floor();
        below += sibling + f64::from(level - 1);
        found.insert(0, ratio as i64);
    }
    found
}

#[test]
fn derived_values_match_a_full_recomputation() {
    let world = World::with_projects();
    let mut chain = vec![world.issue("open").create()];
    for level in 1..=5 {
        let above = chain[chain.len() - 1];
        chain.push(
            world
                .issue("open")
                .parent(above)
                .field("estimated_hours", level)
                .create(),
        );
        // Each level has a finished sibling, and below it an issue without estimate.
        let sibling = world
            .issue("open")
            .parent(above)
            .field("estimated_hours", 10 - level)
            .create();
        world
            .issue("open")
            .parent(sibling)
            .field("done_ratio", 100)
            .create();
    }
    let deepest = chain[5];
    // From the bottom: 5 hours, half done, next to 5 finished hours; then the same with the own
    // hours of each level.
    let update_deepest = |fields: Value| {
        world
            .as_user("alice")
            .put(&format!("/issues/{deepest}.json"), json!({"issue": fields}))
            .assert_status(200);
        chain[..5]
            .iter()
            .map(|id| done_ratio(&world, *id))
            .collect::<Vec<i64>>()
    };
    assert_eq!(
        update_deepest(json!({"done_ratio": 50})),
        expected_ratios(5.0, 50.0)
    );
    // Changed hours change the weights on every level.
    assert_eq!(
        update_deepest(json!({"estimated_hours": 50})),
        expected_ratios(50.0, 50.0)
    );
    assert_eq!(
        update_deepest(json!({"estimated_hours": 50, "done_ratio": 0})),
        expected_ratios(50.0, 0.0)
    );
}

fn put_fields(world: &World, id: i64, fields: Value) -> Response {
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
}

/// If no derived value changes, no ancestor is read or written.
#[test]
fn note_does_not_update_ancestors() {
    let world = World::with_projects();
    let top = world.issue("open").create();
    let middle = world.issue("open").parent(top).create();
    let below = world
        .issue("open")
        .parent(middle)
        .field("done_ratio", 40)
        .create();
    world.edit(top, |issue| issue.done_ratio = 7);
    put_fields(&world, below, json!({"notes": "a note"})).assert_status(200);
    assert_eq!(show(&world, top)["done_ratio"], 7);
    put_fields(&world, below, json!({"done_ratio": 60})).assert_status(200);
    assert_eq!(
        (
            &show(&world, middle)["done_ratio"],
            &show(&world, top)["done_ratio"]
        ),
        (&json!(60), &json!(60))
    );
}

fn relate(world: &World, from: i64, to: i64, kind: &str) {
    let body = json!({"relation": {"issue_to_id": to, "relation_type": kind}});
    world
        .as_user("alice")
        .post(&format!("/issues/{from}/relations.json"), &body)
        .assert_status(201);
}
