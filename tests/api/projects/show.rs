//! `GET /projects/:id`

use quarry::domain::projects::project::ProjectStatus;
use quarry::store::projects;
use quarry_world::{MANAGER, World};

#[test]
fn project_is_found_by_id_and_identifier() {
    let world = World::new();
    let id = world.project("one").create();
    let by_name = world
        .as_user("dave")
        .get("/projects/one.json")
        .assert_status(200)
        .json();
    assert_eq!(
        by_name,
        world
            .as_user("dave")
            .get(&format!("/projects/{id}.json"))
            .assert_status(200)
            .json()
    );
    let names: Vec<&String> = by_name["project"].as_object().unwrap().keys().collect();
    let expected = [
        "id",
        "name",
        "identifier",
        "description",
        "homepage",
        "status",
        "is_public",
        "inherit_members",
        "created_on",
        "updated_on",
    ];
    assert_eq!(names, expected);
}

#[test]
fn include_adds_related_records() {
    let world = World::new();
    world.project("one").create();
    let response = world
        .as_user("dave")
        .get("/projects/one.json?include=trackers,enabled_modules,issue_categories,nonsense")
        .assert_status(200)
        .json();
    let project = &response["project"];
    assert_eq!(
        project["trackers"][0],
        serde_json::json!({"id": 1, "name": "Bug"})
    );
    assert_eq!(project["enabled_modules"].as_array().unwrap().len(), 10);
    assert_eq!(project["issue_categories"], serde_json::json!([]));
    let xml = world
        .as_user("dave")
        .get("/projects/one.xml?include=trackers")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<trackers type=\"array\"><tracker id=\"1\" name=\"Bug\"/>"),
        "{xml}"
    );
}

#[test]
fn private_and_archived_projects_are_forbidden() {
    let world = World::new();
    let secret = world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
    world
        .as_user("alice")
        .get("/projects/secret.json")
        .assert_status(200);
    world
        .as_user("dave")
        .get("/projects/secret.xml")
        .assert_status(403);
    world
        .as_user("dave")
        .get("/projects/missing.json")
        .assert_status(404);
    world.write(move |db| projects::set_status(db, secret, ProjectStatus::Archived));
    for login in ["alice", "admin"] {
        world
            .as_user(login)
            .get("/projects/secret.json")
            .assert_status(403);
    }
}

fn trackers(world: &World, login: &str) -> Vec<i64> {
    let project = world
        .as_user(login)
        .get("/projects/open.json?include=trackers")
        .assert_status(200)
        .json_path("/project");
    let list = world
        .as_user(login)
        .get("/projects.json?include=trackers")
        .assert_status(200)
        .json_path("/projects/0");
    assert_eq!(project["trackers"], list["trackers"]);
    project["trackers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tracker| tracker["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn included_trackers_are_those_of_visible_issues() {
    let world = super::world();
    assert_eq!(
        (trackers(&world, "carol"), trackers(&world, "admin")),
        (vec![1, 2, 3], vec![1, 2, 3])
    );
    // Reporters see issues of tracker 2 only; what they find is the same.
    for tracker in [1, 2] {
        world
            .issue("open")
            .subject("heliograph")
            .field("tracker_id", tracker)
            .create();
    }
    let limits = serde_json::json!({"permissions_all_trackers": {"view_issues": "0"}, "permissions_tracker_ids": {"view_issues": ["2"]}});
    world.sql(&format!(
        "UPDATE roles SET settings_json = '{limits}' WHERE id = 5"
    ));
    assert_eq!(
        (
            trackers(&world, "carol"),
            trackers(&world, "alice"),
            trackers(&world, "admin")
        ),
        (vec![2], vec![1, 2, 3], vec![1, 2, 3])
    );
    assert_eq!(
        (
            world.count_hits("carol", "heliograph"),
            world.count_hits("alice", "heliograph")
        ),
        (1, 2)
    );
    world.sql("DELETE FROM role_permissions WHERE role_id = 5 AND name = 'view_issues'");
    assert!(trackers(&world, "carol").is_empty());
    world.sql("DELETE FROM enabled_modules WHERE name = 'issue_tracking'");
    assert!(trackers(&world, "admin").is_empty());
}
