//! Versions that are shared with other projects.

use super::{create, names};
use quarry_world::{MANAGER, World};
use serde_json::{Value, json};

/// `root` with the children `left` and `right`, and `leaf` below `left`; `other` is a tree of its
/// own. Alice manages `left` only, and bob all projects.
fn world_with_tree() -> World {
    let world = World::new();
    for (identifier, alice) in [
        ("root", false),
        ("left", true),
        ("right", false),
        ("leaf", false),
        ("other", false),
    ] {
        let project = world.project(identifier).member("bob", MANAGER);
        if alice {
            project.member("alice", MANAGER)
        } else {
            project
        }
        .create();
    }
    world.sql(
        "UPDATE projects SET parent_id = 1 WHERE identifier IN ('left', 'right');
         UPDATE projects SET parent_id = 2 WHERE identifier = 'leaf'",
    );
    world
}

#[test]
fn each_sharing_reaches_its_projects() {
    let world = world_with_tree();
    for sharing in ["none", "descendants", "hierarchy", "tree", "system"] {
        create(
            &world,
            "admin",
            "left",
            json!({"name": sharing, "sharing": sharing}),
        )
        .assert_status(201)
        .assert_json_path("/version/sharing", sharing);
    }
    assert_eq!(
        names(&world, "dave", "left"),
        ["none", "descendants", "hierarchy", "tree", "system"]
    );
    assert_eq!(
        names(&world, "dave", "leaf"),
        ["descendants", "hierarchy", "tree", "system"]
    );
    assert_eq!(
        names(&world, "dave", "root"),
        ["hierarchy", "tree", "system"]
    );
    assert_eq!(names(&world, "dave", "right"), ["tree", "system"]);
    assert_eq!(names(&world, "dave", "other"), ["system"]);
}

fn add_shared(world: &World, login: &str, name: &str, sharing: &str) -> Value {
    create(
        world,
        login,
        "left",
        json!({"name": name, "sharing": sharing}),
    )
    .assert_status(201)
    .json_path("/version/sharing")
}

#[test]
fn wider_sharing_than_permitted_is_ignored() {
    let world = world_with_tree();
    assert_eq!(
        add_shared(&world, "alice", "a", "descendants"),
        json!("descendants")
    );
    assert_eq!(add_shared(&world, "alice", "b", "tree"), json!("none"));
    assert_eq!(add_shared(&world, "alice", "c", "hierarchy"), json!("none"));
    assert_eq!(add_shared(&world, "bob", "d", "tree"), json!("tree"));
    assert_eq!(add_shared(&world, "bob", "e", "system"), json!("none"));
    assert_eq!(add_shared(&world, "admin", "f", "system"), json!("system"));
    // What it is already can be sent along.
    let put = json!({"version": {"sharing": "system", "description": "d"}});
    world
        .as_user("alice")
        .put("/versions/6.json", put)
        .assert_status(200)
        .assert_json_path("/version/sharing", "system");
}

fn project_of_version(world: &World, login: &str) -> Value {
    let list = world
        .as_user(login)
        .get("/projects/open/versions.json")
        .assert_status(200);
    list.json()["versions"][0]["project"]["name"].clone()
}

#[test]
fn project_of_a_shared_version_is_named_to_those_who_see_it() {
    let world = World::with_projects();
    create(
        &world,
        "admin",
        "secret",
        json!({"name": "shared", "sharing": "system"}),
    )
    .assert_status(201);
    assert_eq!(project_of_version(&world, "alice"), "secret");
    assert!(project_of_version(&world, "dave").is_null());
    world
        .as_user("dave")
        .get("/versions/1.json")
        .assert_status(403);
    world.sql("UPDATE projects SET status = 9 WHERE id = 2");
    assert_eq!(
        names(&world, "alice", "open"),
        [""; 0],
        "versions of archived projects are not shared"
    );
}

fn create_issue(world: &World, project: &str) -> i64 {
    world
        .issue(project)
        .author("bob")
        .field("fixed_version_id", 1)
        .create()
}

fn version_of(world: &World, issue: i64) -> Value {
    world
        .as_user("bob")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json()["issue"]["fixed_version"]["id"]
        .clone()
}

#[test]
fn issues_and_projects_lose_a_version_that_is_no_longer_shared() {
    let world = world_with_tree();
    create(
        &world,
        "admin",
        "left",
        json!({"name": "1.0", "sharing": "tree"}),
    )
    .assert_status(201);
    let leaf = create_issue(&world, "leaf");
    let right = create_issue(&world, "right");
    world
        .as_user("bob")
        .put(
            "/projects/right.json",
            json!({"project": {"default_version_id": 1}}),
        )
        .assert_status(200);
    world
        .as_user("bob")
        .put(
            "/versions/1.json",
            json!({"version": {"sharing": "descendants"}}),
        )
        .assert_status(200);
    assert_eq!(version_of(&world, leaf), 1);
    assert!(version_of(&world, right).is_null());
    let project = world
        .as_user("bob")
        .get("/projects/right.json")
        .assert_status(200)
        .json_path("/project");
    assert!(project.get("default_version").is_none(), "{project}");
    let found = world
        .as_user("bob")
        .get("/search.json?q=version:1.0")
        .assert_status(200);
    assert_eq!(found.integer("/total_count"), 1, "the next search knows it");
}
