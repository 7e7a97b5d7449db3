//! `DELETE /time_entries/:id`

use super::{field, ids, logged};
use quarry::domain::administration::custom_field::Customized;
use quarry::store::administration::custom_fields;
use quarry_world::{MANAGER, Response, World};
use serde_json::json;

fn delete(world: &World, login: &str, id: i64) -> Response {
    world
        .as_user(login)
        .delete(&format!("/time_entries/{id}.json"))
}

#[test]
fn delete_requires_permission_for_all_or_own_entries() {
    let world = World::with_projects();
    for _ in 0..2 {
        logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    }
    logged(&world, "alice", json!({"project_id": 2, "hours": 1}));
    world
        .anonymous()
        .delete("/time_entries/1.json")
        .assert_status(401);
    for login in ["carol", "dave"] {
        delete(&world, login, 1).assert_status(403);
    }
    delete(&world, "bob", 3).assert_status(403);
    assert_eq!(
        delete(&world, "bob", 1).assert_status(200).body,
        "",
        "one's own (compatibility 9)"
    );
    delete(&world, "bob", 1).assert_status(404);
    world
        .as_user("alice")
        .delete("/time_entries/2.xml")
        .assert_status(200);
    delete(&world, "alice", 99).assert_status(404);
    world
        .as_user("alice")
        .delete("/time_entries/abc.json")
        .assert_status(404);
    assert_eq!(ids(&world, "alice", ""), [3]);
}

#[test]
fn own_entry_stays_in_closed_projects_and_after_leaving() {
    let world = World::with_projects();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    assert_eq!(delete(&world, "bob", 1).status, 403);
    world.sql("UPDATE projects SET status = 1, is_public = 0 WHERE id = 1; DELETE FROM member_roles WHERE role_id = 4");
    assert_eq!(
        delete(&world, "bob", 1).status,
        403,
        "no longer a member of a private project"
    );
    world.sql("UPDATE projects SET is_public = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE name = 'time_tracking'");
    assert_eq!(delete(&world, "bob", 1).status, 403);
    world.sql("INSERT INTO enabled_modules (project_id, name) VALUES (1, 'time_tracking')");
    assert_eq!(delete(&world, "bob", 1).status, 200);
}

#[test]
fn user_who_sees_own_time_only_cannot_delete_others() {
    let world = World::with_projects();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id = {MANAGER}"
    ));
    world
        .as_user("alice")
        .delete("/time_entries/1.json")
        .assert_status(403);
}

fn count_custom_values(world: &World) -> usize {
    world
        .app
        .store
        .read(|db| custom_fields::list_values(db, Customized::TimeEntry, &[1, 2]))
        .unwrap()
        .len()
}

#[test]
fn delete_removes_custom_values() {
    let world = World::with_projects();
    field(&world, 1, "Billable", "bool", "default_value = '1'");
    let issue = world.issue("open").create();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    logged(&world, "bob", json!({"issue_id": issue, "hours": 1}));
    assert_eq!(count_custom_values(&world), 2);
    world
        .as_user("bob")
        .delete("/time_entries/1.json")
        .assert_status(200);
    assert_eq!(count_custom_values(&world), 1);
    world
        .as_user("alice")
        .delete(&format!("/issues/{issue}.json"))
        .assert_status(200);
    assert_eq!(count_custom_values(&world), 0);
}
