//! The parent of a project, in `POST /projects` and `PUT /projects/:id` (compatibility 8)

use super::update::update;
use super::{make, permit, world};
use quarry::domain::access::permission::Permission;
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::accounts::memberships;
use quarry::store::projects;
use quarry_world::{REPORTER, World, insert_version, user};
use serde_json::json;

fn assert_invalid_parent(world: &World, login: &str, reference: &str, parent: i64) {
    let body = json!({"project": {"parent_id": parent}});
    world
        .as_user(login)
        .put(&format!("/projects/{reference}.json"), &body)
        .assert_status(422)
        .assert_errors(&["Subproject of is invalid"]);
}

#[test]
fn project_cannot_move_below_itself() {
    let world = world();
    make(&world, "child", json!({"parent_id": 1}));
    assert_invalid_parent(&world, "alice", "open", 1);
    assert_invalid_parent(&world, "alice", "open", 3);
    assert_invalid_parent(&world, "alice", "open", 999);
    assert_eq!(
        update(&world, "alice", "open", json!({"parent_id": 2}))["parent"],
        json!({"id": 2, "name": "secret"})
    );
    assert!(
        world
            .as_user("dave")
            .get("/projects/open.json")
            .assert_status(200)
            .json()["project"]
            .get("parent")
            .is_none()
    );
    assert!(
        update(&world, "alice", "open", json!({"parent_id": ""}))
            .get("parent")
            .is_none()
    );
    permit(&world, &[Permission::EditProject]);
    assert_invalid_parent(&world, "carol", "open", 2);
    update(&world, "admin", "open", json!({"parent_id": 2}));
    assert_invalid_parent(&world, "carol", "open", 2);
    assert!(
        update(&world, "carol", "open", json!({"parent_id": ""}))
            .get("parent")
            .is_none(),
        "to her there is none"
    );
    assert_eq!(
        update(&world, "admin", "open", json!({}))["parent"]["id"],
        2,
        "and it stays"
    );
    assert_eq!(
        update(&world, "carol", "open", json!({"name": "n"}))["name"],
        "n",
        "unchanged attributes are not validated"
    );
}

fn has_version(world: &World) -> bool {
    world
        .as_user("admin")
        .get("/issues/1.json")
        .assert_status(200)
        .json()["issue"]
        .get("fixed_version")
        .is_some()
}

#[test]
fn issues_lose_versions_that_are_no_longer_shared() {
    let world = world();
    make(&world, "child", json!({"parent_id": 1}));
    let now = world.app.clock.now();
    let version = world.write(move |db| insert_version(db, 1.into(), "1.0", now));
    super::share(&world, version, "descendants");
    let body = json!({"issue": {"project_id": 3, "subject": "x", "fixed_version_id": version.0}});
    world
        .as_user("admin")
        .post("/issues.json", &body)
        .assert_status(201);
    assert!(has_version(&world));
    update(&world, "admin", "child", json!({"name": "still there"}));
    assert!(has_version(&world));
    update(&world, "admin", "child", json!({"parent_id": ""}));
    assert!(!has_version(&world));
}

#[test]
fn inheriting_members_requires_access_to_the_parent() {
    let world = world();
    let below = make(&world, "below", json!({"parent_id": 2}));
    permit(&world, &[Permission::EditProject]);
    let now = world.app.clock.now();
    world.write(move |db| {
        memberships::insert(db, below.into(), user("carol").into(), &[REPORTER], now)
    });
    world
        .as_user("carol")
        .get("/projects/secret.json")
        .assert_status(403);
    assert_eq!(
        update(&world, "carol", "below", json!({"inherit_members": true}))["inherit_members"],
        false
    );
    assert_eq!(
        update(&world, "admin", "below", json!({"inherit_members": true}))["inherit_members"],
        true
    );
}

fn body_with_parent(parent: &str) -> String {
    format!("{{\"project\":{{\"name\":\"x\",\"identifier\":\"x\",\"parent_id\":{parent}}}}}")
}

#[test]
fn parent_must_be_active_and_visible() {
    let world = world();
    let closed = world.project("closed").create();
    let archived = world.project("archived").create();
    world.write(move |db| projects::set_status(db, closed, ProjectStatus::Closed));
    world.write(move |db| projects::set_status(db, archived, ProjectStatus::Archived));
    for parent in ["3", "4", "999", "\"open\"", "\"x\""] {
        let rejected = world
            .as_user("admin")
            .post("/projects.json", body_with_parent(parent))
            .assert_status(422);
        assert_eq!(rejected.errors(), ["Subproject of is invalid"], "{parent}");
    }
    // The response does not disclose whether a hidden project exists.
    permit(&world, &[Permission::AddProject]);
    let responses = ["2", "999"].map(|parent| {
        world
            .as_user("carol")
            .post("/projects.json", body_with_parent(parent))
            .assert_status(422)
            .body
    });
    assert_eq!(responses[0], responses[1]);
}
