//! `PUT /time_entries/:id`

use super::{ids, logged, show, update};
use axum::http::Method;
use quarry_world::{DEVELOPER, MANAGER, World};
use serde_json::{Value, json};

fn own(world: &World) {
    world.sql(&format!(
        "INSERT INTO role_permissions (role_id, name) VALUES ({DEVELOPER}, 'edit_own_time_entries')"
    ));
}

#[test]
fn update_returns_the_time_entry() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    logged(
        &world,
        "bob",
        json!({"issue_id": issue, "hours": 1, "comments": "a"}),
    );
    let changed = update(
        &world,
        "alice",
        1,
        json!({"hours": "2:15", "comments": "b", "spent_on": "2026-01-31", "activity_id": 9}),
    )
    .assert_status(200);
    let entry = changed.json_path("/time_entry");
    assert_eq!(
        (&entry["hours"], &entry["comments"], &entry["spent_on"]),
        (&json!(2.25), &json!("b"), &json!("2026-01-31"))
    );
    assert_eq!(
        (
            &entry["activity"]["name"],
            &entry["user"]["id"],
            &entry["issue"]["id"]
        ),
        (&json!("Development"), &json!(3), &json!(issue))
    );
    assert_eq!(show(&world, 1), entry);
    let body = b"<time_entry><comments/></time_entry>".to_vec();
    let xml = world
        .as_user("alice")
        .send(
            Method::PATCH,
            "/time_entries/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(xml.contains("<hours>2.25</hours><comments/>"), "{xml}");
    update(
        &world,
        "alice",
        1,
        json!({"id": 9, "author_id": 2, "created_on": "2001-01-01"}),
    )
    .assert_status(200)
    .assert_json_path("/time_entry/id", 1);
    assert_eq!(ids(&world, "alice", "author_id=3"), [1]);
}

#[test]
fn update_requires_permission_for_all_or_own_entries() {
    let world = World::with_projects();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    logged(&world, "alice", json!({"project_id": 1, "hours": 1}));
    logged(&world, "alice", json!({"project_id": 2, "hours": 1}));
    for login in ["bob", "carol", "dave"] {
        update(&world, login, 1, json!({"hours": 2})).assert_status(403);
        update(&world, login, 3, json!({"hours": 2})).assert_status(403);
    }
    world
        .anonymous()
        .put("/time_entries/1.json", json!({}))
        .assert_status(401);
    own(&world);
    update(&world, "bob", 1, json!({"hours": 2})).assert_status(200);
    update(&world, "bob", 2, json!({"hours": 2})).assert_status(403);
    update(&world, "alice", 99, json!({"hours": 2})).assert_status(404);
    update(&world, "bob", 99, json!({"hours": 2})).assert_status(404);
    world
        .as_user("alice")
        .put("/time_entries/x.json", json!({}))
        .assert_status(404);
    // Users who see only their own time edit only their own.
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id = {MANAGER}"
    ));
    update(&world, "alice", 1, json!({"hours": 3})).assert_status(403);
    update(&world, "alice", 2, json!({"hours": 3})).assert_status(200);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    update(&world, "bob", 1, json!({"hours": 3})).assert_status(403);
    update(&world, "admin", 1, json!({"hours": 3})).assert_status(403);
    assert_eq!(
        (
            show(&world, 2)["hours"].clone(),
            show(&world, 3)["hours"].clone()
        ),
        (json!(3.0), json!(1.0))
    );
}

fn project_and_issue(world: &World, id: i64) -> (Value, Option<Value>) {
    (
        show(world, id)["project"]["id"].clone(),
        show(world, id)
            .get("issue")
            .map(|issue| issue["id"].clone()),
    )
}

#[test]
fn entry_moves_with_its_issue_or_to_a_project() {
    let world = World::with_projects();
    let open = world.issue("open").create();
    let secret = world.issue("secret").create();
    logged(&world, "alice", json!({"issue_id": open, "hours": 1}));
    update(&world, "alice", 1, json!({"project_id": 2}))
        .assert_status(422)
        .assert_errors(&["Issue is invalid"]);
    update(&world, "alice", 1, json!({"project_id": 99}))
        .assert_status(422)
        .assert_errors(&["Project is invalid"]);
    update(&world, "alice", 1, json!({"issue_id": 99}))
        .assert_status(422)
        .assert_errors(&["Issue is invalid"]);
    update(
        &world,
        "alice",
        1,
        json!({"project_id": 1, "issue_id": secret}),
    )
    .assert_status(422)
    .assert_errors(&["Issue is invalid"]);
    update(&world, "alice", 1, json!({"issue_id": secret})).assert_status(200);
    assert_eq!(
        project_and_issue(&world, 1),
        (json!(2), Some(json!(secret)))
    );
    update(&world, "alice", 1, json!({"issue_id": ""})).assert_status(200);
    assert_eq!(project_and_issue(&world, 1), (json!(2), None));
    update(&world, "alice", 1, json!({"project_id": "open"})).assert_status(200);
    assert_eq!(project_and_issue(&world, 1), (json!(1), None));
    update(
        &world,
        "alice",
        1,
        json!({"project_id": "secret", "issue_id": secret}),
    )
    .assert_status(200);
    assert_eq!(
        project_and_issue(&world, 1),
        (json!(2), Some(json!(secret)))
    );
    update(
        &world,
        "alice",
        1,
        json!({"project_id": 1, "issue_id": null}),
    )
    .assert_status(200);
    assert_eq!(project_and_issue(&world, 1), (json!(1), None));
}

#[test]
fn entry_cannot_move_to_a_project_without_permission() {
    let world = World::with_projects();
    let secret = world.issue("secret").create();
    own(&world);
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    // The response does not disclose whether a hidden project exists.
    for project in [json!(2), json!("secret"), json!(99), json!("nowhere")] {
        update(&world, "bob", 1, json!({"project_id": project}))
            .assert_status(422)
            .assert_errors(&["Project is invalid"]);
    }
    for issue in [secret, 99] {
        update(&world, "bob", 1, json!({"issue_id": issue}))
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
    }
    let readable = world.project("readable").member("alice", MANAGER).create();
    let issue = world.issue("readable").create();
    update(&world, "bob", 1, json!({"project_id": readable.0}))
        .assert_status(422)
        .assert_errors(&["Project is invalid"]);
    update(&world, "bob", 1, json!({"issue_id": issue}))
        .assert_status(422)
        .assert_errors(&["Issue is invalid"]);
}

#[test]
fn invalid_update_changes_nothing() {
    let world = World::with_projects();
    logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "comments": "a"}),
    );
    let before = show(&world, 1);
    let cases: [(Value, &[&str]); 8] = [
        (json!({"hours": ""}), &["Hours cannot be blank"]),
        (json!({"hours": 0}), &["Hours is invalid"]),
        (
            json!({"hours": {}}),
            &["Hours is invalid (one value is expected, not an object)"],
        ),
        (
            json!({"activity_id": ""}),
            &[
                "Activity cannot be blank",
                "Activity is not included in the list",
            ],
        ),
        (
            json!({"activity_id": 99}),
            &["Activity is not included in the list"],
        ),
        (
            json!({"spent_on": "zz"}),
            &["Date cannot be blank", "Date is not a valid date"],
        ),
        (json!({"user_id": 99}), &["User is invalid"]),
        (
            json!({"hours": 2, "comments": "a\0b"}),
            &["Comment is invalid (it contains a NUL character)"],
        ),
    ];
    for (fields, sentences) in cases {
        assert_eq!(
            update(&world, "alice", 1, fields.clone())
                .assert_status(422)
                .errors(),
            sentences,
            "{fields}"
        );
    }
    world
        .as_user("alice")
        .put("/time_entries/1.json", "{")
        .assert_status(400);
    world
        .as_user("alice")
        .put("/time_entries/1.json", json!({"time_entry": 1}))
        .assert_status(400);
    for body in [
        "{}",
        "{\"time_entry\":{\"hours\":1.0,\"comments\":\"a\",\"nonsense\":1}}",
        "{\"time_entry\":null}",
        "[]",
    ] {
        world.sql("UPDATE time_entries SET updated_on = 0");
        let entry = world
            .as_user("alice")
            .put("/time_entries/1.json", body)
            .assert_status(200)
            .json_path("/time_entry");
        assert_eq!(
            entry["updated_on"], "1970-01-01T00:00:00Z",
            "what changes nothing is no change: {body}"
        );
    }
    let mut after = show(&world, 1);
    after["updated_on"] = before["updated_on"].clone();
    assert_eq!(after, before);
}
