//! The page of the audit log.

use crate::web::browser::Browser;
use crate::world::World;
use serde_json::json;

#[test]
fn changes_of_rights_and_settings_are_listed_with_who_made_them() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/admin/audit")
        .assert_status(200)
        .assert_contains("Nothing has been changed yet.");
    let alice = world.as_user("alice");
    let member = json!({"membership": {"user_id": 5, "role_ids": [4]}});
    alice
        .post("/projects/open/memberships.json", member)
        .assert_status(201);
    let page = admin.get("/settings?tab=issues").assert_status(200);
    let form = [("close_duplicate_issues", "0")];
    admin
        .submit(&page, "/settings?tab=issues", &form)
        .assert_status(303);
    let shown = admin.get("/admin/audit").assert_status(200);
    for expected in [
        "Membership dave Tester: created in open",
        "alice Tester",
        "Setting close_duplicate_issues: updated",
        "127.0.0.1",
    ] {
        assert!(shown.body.contains(expected), "{expected}: {shown:?}");
    }
    let latest = shown.body.find("Setting close").unwrap();
    assert!(latest < shown.body.find("Membership dave").unwrap());
    let refused = json!({"membership": {"user_id": 6, "role_ids": [4]}});
    world
        .as_user("bob")
        .post("/projects/open/memberships.json", refused)
        .assert_status(403);
    let shown = admin.get("/admin/audit?limit=1&page=2").assert_status(200);
    assert!(shown.body.contains("Membership dave"), "{shown:?}");
    assert!(!shown.body.contains("erin"), "{shown:?}");
}

#[test]
fn names_of_deleted_users_are_forgotten_also_earlier_ones() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let member = json!({"membership": {"user_id": 5, "role_ids": [4]}});
    let api = world.as_user("admin");
    let created = api
        .post("/projects/open/memberships.json", member)
        .assert_status(201)
        .json();
    let id = &created["membership"]["id"];
    api.delete(&format!("/memberships/{id}.json"))
        .assert_status(200);
    let renamed = json!({"user": {"lastname": "Renamed"}});
    api.put("/users/5.json", renamed).assert_status(200);
    admin
        .get("/admin/audit")
        .assert_contains("Membership dave Tester: created");
    api.delete("/users/5.json").assert_status(200);
    let page = admin.get("/admin/audit").assert_status(200);
    assert!(!page.body.contains("dave"), "{page:?}");
}
