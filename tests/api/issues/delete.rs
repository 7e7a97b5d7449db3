//! `DELETE /issues/:id`

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{MANAGER, Response, World};
use serde_json::json;

#[test]
fn deleted_issue_is_not_found() {
    let world = World::with_projects();
    let id = world.issue("open").description("zeppelin").create();
    assert_eq!(
        world
            .as_user("alice")
            .total_count("/search.json?q=zeppelin"),
        1
    );
    let response = world
        .as_user("alice")
        .delete(&format!("/issues/{id}.json"))
        .assert_status(200);
    assert_eq!(response.body, "");
    assert_eq!(
        world
            .as_user("alice")
            .total_count("/search.json?q=zeppelin"),
        0
    );
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(404);
    world
        .as_user("alice")
        .delete(&format!("/issues/{id}.xml"))
        .assert_status(404);
    assert_eq!(
        world.issue("open").create(),
        id + 1,
        "numbers are never given out twice"
    );
}

#[test]
fn delete_requires_permission() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    for login in ["bob", "carol", "dave"] {
        world
            .as_user(login)
            .delete(&format!("/issues/{id}.json"))
            .assert_status(403);
    }
    world
        .anonymous()
        .delete(&format!("/issues/{id}.json"))
        .assert_status(401);
    world
        .as_user("admin")
        .delete(&format!("/issues/{id}.json"))
        .assert_status(200);
}

/// Grants developers the permission to delete issues; they see only their own private ones.
fn let_developers_delete(world: &World) {
    world.sql(
        "INSERT INTO role_permissions (role_id, name) VALUES (4, 'delete_issues'), (4, 'manage_subtasks') ON CONFLICT DO NOTHING;
         UPDATE roles SET issues_visibility = 'default' WHERE id = 4",
    );
}

#[track_caller]
fn assert_there(world: &World, ids: &[i64]) {
    for id in ids {
        world
            .as_user("admin")
            .get(&format!("/issues/{id}.json"))
            .assert_status(200);
    }
}

const REFUSED: [&str; 1] =
    ["Issue cannot be deleted because it has subtasks that you cannot see or delete"];

#[test]
fn parent_with_hidden_subtasks_cannot_be_deleted() {
    let world = World::with_projects();
    let_developers_delete(&world);
    let top = world.issue("open").author("bob").create();
    let part = world.issue("open").author("bob").parent(top).create();
    let hidden = world
        .issue("open")
        .parent(part)
        .private()
        .description("kryptonite")
        .create();
    let other = world.issue("open").author("bob").create();
    let bob = world.as_user("bob");
    bob.get(&format!("/issues/{hidden}.json"))
        .assert_status(403);
    for todo in [
        "",
        "?todo=nullify",
        &format!("?todo=reassign&reassign_to_id={other}"),
    ] {
        for format in ["json", "xml"] {
            let rejected = bob
                .delete(&format!("/issues/{top}.{format}{todo}"))
                .assert_status(422);
            assert_eq!(rejected.errors(), REFUSED);
            assert!(
                !rejected.body.contains(&hidden.to_string())
                    && !rejected.body.contains("kryptonite"),
                "{rejected:?}"
            );
        }
    }
    let several = bob
        .delete(&format!("/issues.json?ids[]={other}&ids[]={part}"))
        .assert_status(422);
    assert_eq!(several.errors(), REFUSED);
    assert_there(&world, &[top, part, hidden, other]);
    // A hidden issue that is named itself gives the usual error.
    bob.delete(&format!("/issues.json?ids[]={top}&ids[]={hidden}"))
        .assert_status(403);
    // A user who sees all of them may delete them.
    world
        .as_user("alice")
        .delete(&format!("/issues/{top}.json"))
        .assert_status(200);
    for gone in [top, part, hidden] {
        world
            .as_user("admin")
            .get(&format!("/issues/{gone}.json"))
            .assert_status(404);
    }
}

#[test]
fn parent_with_undeletable_subtasks_cannot_be_deleted() {
    let world = World::with_projects();
    world.set(Setting::CrossProjectSubtasks, "system");
    let_developers_delete(&world);
    let top = world.issue("open").author("bob").create();
    world.project("readable").member("alice", MANAGER).create();
    let elsewhere = world.issue("readable").parent(top).create();
    let bob = world.as_user("bob");
    bob.get(&format!("/issues/{elsewhere}.json"))
        .assert_status(200);
    bob.delete(&format!("/issues/{top}.json"))
        .assert_status(422)
        .assert_errors(&REFUSED);
    assert_there(&world, &[top, elsewhere]);
    // As for single issues, not even administrators delete issues of a closed project.
    world
        .as_user("alice")
        .put("/projects/readable/close.json", "")
        .assert_status(204);
    world
        .as_user("admin")
        .delete(&format!("/issues/{top}.json"))
        .assert_status(422)
        .assert_errors(&REFUSED);
    world
        .as_user("alice")
        .put("/projects/readable/reopen.json", "")
        .assert_status(204);
    world
        .as_user("admin")
        .delete(&format!("/issues/{top}.json"))
        .assert_status(200);
}

fn delete_with_body(world: &World, path: &str, body: serde_json::Value) -> Response {
    world.as_user("alice").send(
        Method::DELETE,
        path,
        Some("application/json"),
        body.to_string().into_bytes(),
    )
}

fn log_hour(world: &World, issue: i64) -> i64 {
    let entry = json!({"time_entry": {"issue_id": issue, "hours": 1, "activity_id": 8}});
    world
        .as_user("alice")
        .post("/time_entries.json", entry)
        .assert_status(201)
        .integer("/time_entry/id")
}

fn issue_of(world: &World, entry: i64) -> Option<Option<i64>> {
    let response = world
        .as_user("alice")
        .get(&format!("/time_entries/{entry}.json"));
    (response.status == 200).then(|| response.json()["time_entry"]["issue"]["id"].as_i64())
}

#[test]
fn body_or_query_says_what_happens_to_time_entries() {
    let world = World::with_projects();
    let target = world.issue("open").create();
    let reassign = json!({"todo": "reassign", "reassign_to_id": target});
    let cases = [
        ("", json!({}), None),
        ("", json!({"todo": "nullify"}), Some(None)),
        ("", reassign.clone(), Some(Some(target))),
        ("?todo=nullify", reassign.clone(), Some(None)),
    ];
    for (query, body, expected) in cases {
        let id = world.issue("open").create();
        let entry = log_hour(&world, id);
        delete_with_body(
            &world,
            &format!("/issues/{id}.json"),
            json!({"todo": "keep"}),
        )
        .assert_status(422);
        delete_with_body(&world, &format!("/issues/{id}.json{query}"), body).assert_status(200);
        assert_eq!(issue_of(&world, entry), expected);
    }
    let ids = [world.issue("open").create(), world.issue("open").create()];
    let entry = log_hour(&world, ids[0]);
    delete_with_body(
        &world,
        &format!("/issues.json?ids={},{}", ids[0], ids[1]),
        reassign.clone(),
    )
    .assert_status(200);
    assert_eq!(issue_of(&world, entry), Some(Some(target)));
}
