//! `GET /projects/:id`

use crate::world::{MANAGER, World};
use quarry::domain::project::ProjectStatus;
use quarry::store::projects;

#[test]
fn a_project_is_found_by_number_and_identifier() {
    let world = World::new();
    let id = world.project("one", true, &[]);
    let by_name = world.as_user("dave").get("/projects/one.json").expect(200).json();
    assert_eq!(by_name, world.as_user("dave").get(&format!("/projects/{id}.json")).expect(200).json());
    let names: Vec<&String> = by_name["project"].as_object().unwrap().keys().collect();
    let wanted =
        ["id", "name", "identifier", "description", "homepage", "status", "is_public", "inherit_members", "created_on", "updated_on"];
    assert_eq!(names, wanted);
}

#[test]
fn what_is_asked_for_is_included() {
    let world = World::new();
    world.project("one", true, &[]);
    let answer =
        world.as_user("dave").get("/projects/one.json?include=trackers,enabled_modules,issue_categories,nonsense").expect(200).json();
    let project = &answer["project"];
    assert_eq!(project["trackers"][0], serde_json::json!({"id": 1, "name": "Bug"}));
    assert_eq!(project["enabled_modules"].as_array().unwrap().len(), 10);
    assert_eq!(project["issue_categories"], serde_json::json!([]));
    let xml = world.as_user("dave").get("/projects/one.xml?include=trackers").expect(200).body;
    assert!(xml.contains("<trackers type=\"array\"><tracker id=\"1\" name=\"Bug\"/>"), "{xml}");
}

#[test]
fn private_ones_are_forbidden_and_archived_ones_to_everybody() {
    let world = World::new();
    let secret = world.project("secret", false, &[("alice", MANAGER)]);
    let _ = world.as_user("alice").get("/projects/secret.json").expect(200);
    let _ = world.as_user("dave").get("/projects/secret.xml").expect(403);
    let _ = world.as_user("dave").get("/projects/missing.json").expect(404);
    world.write(move |db| projects::set_status(db, secret, ProjectStatus::Archived));
    for login in ["alice", "admin"] {
        let _ = world.as_user(login).get("/projects/secret.json").expect(403);
    }
}
