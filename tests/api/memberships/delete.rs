//! `DELETE /memberships/:id`

use super::{members, row};
use quarry_world::World;
use serde_json::json;

#[test]
fn deleted_member_is_no_default_assignee_any_more() {
    let world = World::with_projects();
    let category = json!({"issue_category": {"name": "Hull", "assigned_to_id": 3}});
    world
        .as_user("alice")
        .post("/projects/open/issue_categories.json", category)
        .assert_status(201);
    world
        .as_user("alice")
        .put(
            "/projects/open.json",
            json!({"project": {"default_assigned_to_id": 3}}),
        )
        .assert_status(200);
    assert_eq!(
        world
            .as_user("alice")
            .delete("/memberships/2.json")
            .assert_status(200)
            .body,
        ""
    );
    world
        .as_user("alice")
        .delete("/memberships/2.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/memberships/2.json")
        .assert_status(404);
    assert_eq!(
        members(&world, "open"),
        [
            row(1, "alice Tester", "Manager"),
            row(3, "carol Tester", "Reporter")
        ]
    );
    let category = world
        .as_user("alice")
        .get("/issue_categories/1.json")
        .assert_status(200)
        .json_path("/issue_category");
    assert!(category.get("assigned_to").is_none(), "{category}");
    let project = world
        .as_user("alice")
        .get("/projects/open.json")
        .assert_status(200)
        .json_path("/project");
    assert!(project.get("default_assignee").is_none(), "{project}");
}

#[test]
fn manager_can_leave_the_project() {
    let world = World::with_projects();
    world
        .as_user("alice")
        .delete("/memberships/4.xml")
        .assert_status(200);
    world
        .as_user("alice")
        .get("/projects/secret/memberships.json")
        .assert_status(403);
    world
        .as_user("alice")
        .put(
            "/memberships/1.json",
            json!({"membership": {"role_ids": [5]}}),
        )
        .assert_status(200);
    world
        .as_user("alice")
        .delete("/memberships/1.json")
        .assert_status(403);
}
