//! `POST /issues/:id/relations` (compatibility 6.8)

use super::{history, relate};
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::IssueId;
use quarry_world::{Response, World};
use serde_json::{Value, json};

#[test]
fn relation_is_stored_once_and_recorded_in_both_issues() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open").create()).collect();
    let response = relate(
        &world,
        "alice",
        ids[1],
        json!({"issue_to_id": ids[0], "relation_type": "follows"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "http://quarry.test/relations/1");
    assert_eq!(
        response.body,
        r#"{"relation":{"id":1,"issue_id":1,"issue_to_id":2,"relation_type":"precedes","delay":0}}"#
    );
    assert_eq!(history(&world, "alice", ids[0]), ["relation precedes - 2"]);
    assert_eq!(
        history(&world, "alice", ids[1]),
        [
            "relation follows - 1",
            "attr start_date 2026-11-20 2026-11-23"
        ]
    );
    let relates = relate(
        &world,
        "bob",
        ids[2],
        json!({"issue_to_id": "#1", "delay": 5}),
    )
    .assert_status(201)
    .json();
    assert_eq!(
        (
            relates["relation"]["issue_id"].as_i64(),
            relates["relation"]["delay"].as_i64()
        ),
        (Some(1), None)
    );
    let several = relate(
        &world,
        "alice",
        ids[3],
        json!({"issue_to_id": "2,3", "relation_type": "blocked"}),
    )
    .assert_status(201)
    .json();
    assert_eq!(several["relation"]["issue_id"], 3);
    assert_eq!(several["relation"]["relation_type"], "blocks");
    assert_eq!(
        history(&world, "alice", ids[3]),
        ["relation blocked - 2", "relation blocked - 3"]
    );
}

fn post_xml(world: &World, body: &str, path: &str) -> Response {
    world
        .as_user("bob")
        .send(Method::POST, path, Some("application/xml"), body.into())
}

#[test]
fn create_accepts_xml() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    let body = format!(
        "<relation><issue_to_id>{other}</issue_to_id><relation_type>precedes</relation_type><delay>2</delay></relation>"
    );
    let path = format!("/issues/{one}/relations.xml");
    let created = post_xml(&world, &body, &path).assert_status(201).body;
    let text = "<relation><id>1</id><issue_id>1</issue_id><issue_to_id>2</issue_to_id><relation_type>precedes</relation_type><delay>2</delay></relation>";
    assert!(created.ends_with(text), "{created}");
    post_xml(&world, &body, &path)
        .assert_status(422)
        .assert_errors(&["Related issue has already been taken"]);
}

fn precedes_fields(other: i64, delay: Value) -> Value {
    json!({"issue_to_id": other, "relation_type": "precedes", "delay": delay})
}

#[test]
fn invalid_relation_is_reported_and_writes_nothing() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    let hidden = world.issue("secret").create();
    let relate = |login: &str, fields: Value| {
        relate(&world, login, one, fields)
            .assert_status(422)
            .errors()
    };
    assert_eq!(
        relate("alice", json!({})),
        ["Related issue cannot be blank"]
    );
    for id in [json!(null), json!("abc"), json!(9999), json!(" , ")] {
        assert_eq!(
            relate("alice", json!({"issue_to_id": id})),
            ["Related issue cannot be blank"],
            "{id}"
        );
    }
    assert_eq!(
        relate("bob", json!({"issue_to_id": hidden})),
        ["Related issue cannot be blank"],
        "hidden is not there"
    );
    assert_eq!(
        relate("alice", json!({"issue_to_id": hidden})),
        ["Related issue doesn't belong to the same project"]
    );
    assert_eq!(
        relate("alice", json!({"issue_to_id": one})),
        ["Related issue is invalid"]
    );
    assert_eq!(
        relate(
            "alice",
            json!({"issue_to_id": other, "relation_type": "bogus"})
        ),
        ["Relation type is not included in the list"]
    );
    for delay in [
        json!("x"),
        json!(1.5),
        json!(99_999_999_999_999_999_999_f64),
    ] {
        assert_eq!(
            relate("alice", precedes_fields(other, delay)),
            ["Delay is not a number"]
        );
    }
    assert_eq!(
        relate("alice", precedes_fields(other, json!(9_999_999))),
        ["Delay must be less than or equal to 100000"]
    );
    assert_eq!(
        relate("alice", precedes_fields(other, json!([1]))),
        ["Delay is invalid (one value is expected, not a list)"]
    );
    assert_eq!(
        relate("alice", json!({"issue_to_id": format!("{other},9999")})),
        ["Related issue cannot be blank"],
        "all or none"
    );
    let many = (0..200)
        .map(|id| id.to_string())
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(relate("alice", json!({"issue_to_id": many})).len(), 1);
    assert_eq!(history(&world, "alice", one), [""; 0]);
    world
        .as_user("alice")
        .post(
            &format!("/issues/{one}/relations.json"),
            json!({"relation": 7}),
        )
        .assert_status(400);
    world
        .as_user("alice")
        .post(&format!("/issues/{one}/relations.json"), "{")
        .assert_status(400);
    world.set(Setting::CrossProjectIssueRelations, "1");
    super::relate(&world, "alice", one, json!({"issue_to_id": hidden})).assert_status(201);
}

fn precede(world: &World, from: i64, to: i64) -> Response {
    relate(
        world,
        "alice",
        from,
        json!({"issue_to_id": to, "relation_type": "precedes"}),
    )
}

#[test]
fn indirect_cycles_are_rejected() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..5).map(|_| world.issue("open").create()).collect();
    let circle = ["This relation would create a circular dependency"];
    precede(&world, ids[0], ids[1]).assert_status(201);
    precede(&world, ids[1], ids[2]).assert_status(201);
    precede(&world, ids[2], ids[3]).assert_status(201);
    precede(&world, ids[3], ids[0])
        .assert_status(422)
        .assert_errors(&circle);
    // A subtask of the following issue is rescheduled with it.
    let parent = ids[3];
    let child = ids[4];
    world.edit(child, move |issue| issue.parent = Some(IssueId(parent)));
    precede(&world, child, ids[0])
        .assert_status(422)
        .assert_errors(&circle);
    let kin = "An issue cannot be linked to one of its subtasks";
    precede(&world, child, parent)
        .assert_status(422)
        .assert_errors(&[circle[0], kin]);
    let relates = relate(&world, "alice", parent, json!({"issue_to_id": child})).assert_status(422);
    assert_eq!(relates.errors(), [kin]);
}

fn block(world: &World, from: i64, to: i64) -> Response {
    relate(
        world,
        "alice",
        from,
        json!({"issue_to_id": to, "relation_type": "blocks"}),
    )
}

#[test]
fn mutual_blocking_is_rejected() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..3).map(|_| world.issue("open").create()).collect();
    block(&world, ids[0], ids[1]).assert_status(201);
    block(&world, ids[1], ids[2]).assert_status(201);
    block(&world, ids[2], ids[0])
        .assert_status(422)
        .assert_errors(&["This relation would create a circular dependency"]);
    relate(&world, "alice", ids[0], json!({"issue_to_id": ids[2]})).assert_status(201);
    let again = relate(&world, "alice", ids[2], json!({"issue_to_id": ids[0]})).assert_status(422);
    assert_eq!(
        again.errors(),
        ["This relation would create a circular dependency"],
        "the other way round"
    );
}

#[test]
fn eight_concurrent_creates_create_one_relation() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    let fields = json!({"issue_to_id": other});
    let responses: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| relate(&world, "alice", one, fields.clone())))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(
        responses
            .iter()
            .filter(|response| response.status == 201)
            .count(),
        1
    );
    for response in responses
        .into_iter()
        .filter(|response| response.status != 201)
    {
        response
            .assert_status(422)
            .assert_errors(&["Related issue has already been taken"]);
    }
    assert_eq!(history(&world, "alice", one), ["relation relates - 2"]);
}

#[test]
fn create_requires_permission() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let other = world.issue("open").create();
    let hidden = world.issue("secret").create();
    let fields = json!({"issue_to_id": other});
    for login in ["carol", "dave"] {
        relate(&world, login, one, fields.clone()).assert_status(403);
    }
    world
        .anonymous()
        .post(&format!("/issues/{one}/relations.json"), json!({}))
        .assert_status(401);
    relate(&world, "bob", hidden, fields.clone()).assert_status(403);
    relate(&world, "bob", 9999, fields.clone()).assert_status(404);
    relate(&world, "bob", one, fields).assert_status(201);
}

fn post_unknown_type(world: &World, issue: i64, to: i64) -> Response {
    let body = json!({"relation": {"issue_to_id": to, "relation_type": "likes", "delay": "x"}});
    world
        .as_user("alice")
        .post(&format!("/issues/{issue}/relations.json"), body)
        .assert_status(422)
}

#[test]
fn every_error_is_named() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let other = world.issue("secret").create();
    let kind = "Relation type is not included in the list";
    let _ = post_unknown_type(&world, issue, other).assert_errors(&[
        kind,
        "Delay is not a number",
        "Related issue doesn't belong to the same project",
    ]);
    let _ = post_unknown_type(&world, issue, issue).assert_errors(&[
        kind,
        "Delay is not a number",
        "Related issue is invalid",
    ]);
    let _ = post_unknown_type(&world, issue, 999).assert_errors(&[
        "Related issue cannot be blank",
        kind,
        "Delay is not a number",
    ]);
    let part = world.issue("open").parent(issue).create();
    let _ = post_unknown_type(&world, issue, part).assert_errors(&[
        kind,
        "Delay is not a number",
        "An issue cannot be linked to one of its subtasks",
    ]);
}
