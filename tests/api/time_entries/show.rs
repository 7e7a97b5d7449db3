//! `GET /time_entries/:id`

use super::logged;
use quarry_world::{REPORTER, World};
use serde_json::json;

#[test]
fn show_requires_permission() {
    let world = World::with_projects();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    logged(&world, "alice", json!({"project_id": 2, "hours": 1}));
    for login in ["admin", "alice", "bob", "carol"] {
        world
            .as_user(login)
            .get("/time_entries/1.xml")
            .assert_status(200);
    }
    for login in ["dave", "bob"] {
        world
            .as_user(login)
            .get("/time_entries/2.json")
            .assert_status(403);
    }
    world
        .anonymous()
        .get("/time_entries/1.json")
        .assert_status(401);
    world
        .as_user("erin")
        .get("/time_entries/1.json")
        .assert_status(401);
    for path in [
        "/time_entries/99.json",
        "/time_entries/abc.json",
        "/time_entries/0.xml",
        "/time_entries/99999999999999999999.json",
    ] {
        world.as_user("alice").get(path).assert_status(404);
    }
    let body = world
        .as_user("dave")
        .get("/time_entries/2.json")
        .assert_status(403)
        .body;
    assert!(!body.contains("secret"), "{body}");
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    world
        .as_user("carol")
        .get("/time_entries/1.json")
        .assert_status(200);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    world
        .as_user("admin")
        .get("/time_entries/1.json")
        .assert_status(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE name = 'time_tracking'");
    world
        .as_user("admin")
        .get("/time_entries/1.json")
        .assert_status(403);
}

#[test]
fn entry_of_others_is_hidden_from_users_who_see_own_time_only() {
    let world = World::with_projects();
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id = {REPORTER}"
    ));
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    logged(&world, "carol", json!({"project_id": 1, "hours": 1}));
    world
        .as_user("carol")
        .get("/time_entries/1.json")
        .assert_status(403);
    world
        .as_user("carol")
        .get("/time_entries/2.json")
        .assert_status(200);
    // Time that alice logs for carol belongs to carol.
    logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "user_id": 4}),
    );
    world
        .as_user("carol")
        .get("/time_entries/3.json")
        .assert_status(200);
    // The widest of several roles applies.
    world.sql(
        "INSERT INTO member_roles (member_id, role_id) SELECT id, 4 FROM members WHERE user_id = 4",
    );
    world
        .as_user("carol")
        .get("/time_entries/1.json")
        .assert_status(200);
}
