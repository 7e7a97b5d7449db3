//! The page of the audit log.

use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

#[test]
fn changes_of_rights_and_settings_are_listed_with_who_made_them() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/admin/audit?record=backup")
        .assert_status(200)
        .assert_contains("No events match.");
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

#[test]
fn events_are_found_by_kind_person_day_and_text() {
    let world = World::with_projects();
    world.sql("DELETE FROM audit_events");
    let admin = Browser::logged_in(&world, "admin");
    let member = json!({"membership": {"user_id": 5, "role_ids": [4]}});
    world
        .as_user("alice")
        .post("/projects/open/memberships.json", member)
        .assert_status(201);
    world
        .as_user("admin")
        .put(
            "/settings/app_title.json",
            json!({"setting": {"value": "50% off_"}}),
        )
        .assert_status(200);
    let found = |query: &str| {
        let page = admin
            .get(&format!("/admin/audit?{query}"))
            .assert_status(200);
        ["Login admin", "Membership dave", "Setting app_title"].map(|text| page.body.contains(text))
    };
    for (query, expected) in [
        ("", [true, true, true]),
        ("record=setting", [false, false, true]),
        ("record=login&record=login", [true, false, false]),
        ("user=1", [true, false, true]),
        ("user=2", [false, true, false]),
        ("user=5", [false, true, false]),
        ("user=alice", [false, true, false]),
        ("user=999", [false, false, false]),
        ("q=OFF_", [false, false, true]),
        ("q=50%25+off_", [false, false, true]),
        ("q=5_%25", [false, false, false]),
        ("q=open", [false, true, false]),
        ("q=%27+OR+1=1--", [false, false, false]),
        ("from=2026-11-20&to=2026-11-20", [true, true, true]),
        ("from=2026-11-21", [false, false, false]),
        ("to=2026-11-19", [false, false, false]),
        ("to=9999-12-31", [true, true, true]),
        ("page=99", [false, false, false]),
        ("limit=1", [false, false, true]),
    ] {
        assert_eq!(found(query), expected, "{query}");
    }
    for (query, message) in [
        ("record=nothing", "record must be one of"),
        ("user=nobody", "user must be the login or the id of a user"),
        ("from=yesterday", "from must be a day"),
        ("to=2026-13-01", "to must be a day"),
    ] {
        admin
            .get(&format!("/admin/audit?{query}"))
            .assert_status(422)
            .assert_contains(message);
    }
    admin
        .get(&format!("/admin/audit?q={}", "x".repeat(201)))
        .assert_status(422);
    admin.get("/admin/audit/99999").assert_status(404);
    admin.get("/admin/audit/0x1").assert_status(404);
}

#[test]
fn exports_have_the_values_and_are_recorded_themselves() {
    let world = World::with_projects();
    world.sql("DELETE FROM audit_events");
    let admin = Browser::logged_in(&world, "admin");
    world
        .as_user("admin")
        .put(
            "/settings/app_title.json",
            json!({"setting": {"value": "=1+1"}}),
        )
        .assert_status(200);
    let csv = admin
        .get("/admin/audit/export?format=csv&record=setting")
        .assert_status(200);
    assert!(csv.content_type().starts_with("text/csv"), "{csv:?}");
    assert!(csv.body.contains("app_title: Quarry → =1+1"), "{csv:?}");
    assert!(
        csv.body.contains(",'=1+1,"),
        "formulas are guarded: {csv:?}"
    );
    let exported = admin
        .get("/admin/audit/export?format=json&record=setting")
        .assert_status(200)
        .json();
    let events = exported["audit_events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        events[0]["changes"],
        json!([{"field": "app_title", "before": "Quarry", "after": "=1+1"}])
    );
    assert_eq!(
        (&events[0]["user"], &events[0]["by"]),
        (&json!("admin"), &json!("API key"))
    );
    admin
        .get("/admin/audit?record=export")
        .assert_contains("audit log, csv, 1 events")
        .assert_contains("audit log, json, 1 events");
    admin
        .get("/admin/audit/export?format=xml")
        .assert_status(422)
        .assert_contains("format must be csv or json");
}

#[test]
fn nobody_but_administrators_learns_of_events() {
    let world = World::with_projects();
    world.sql("UPDATE audit_events SET name = 'unmistakable'");
    for path in [
        "/admin/audit",
        "/admin/audit/1",
        "/admin/audit/export?format=json",
        "/admin/audit/export?format=csv",
    ] {
        Browser::logged_in(&world, "alice")
            .get(path)
            .assert_status(403);
        let anonymous = Browser::new(&world).get(path);
        assert!(
            [302, 303, 401, 403].contains(&anonymous.status),
            "{path}: {anonymous:?}"
        );
        for login in ["admin", "alice"] {
            let data = path.replacen("/admin/audit", "/admin/audit.json", 1);
            let response = world.as_user(login).get(&data);
            assert_ne!(response.status, 200, "{data}: {response:?}");
        }
    }
    for path in [
        "/search.json?q=unmistakable",
        "/activity.atom",
        "/users/2.json",
    ] {
        let response = world.as_user("alice").get(path);
        assert!(
            !response.body.contains("unmistakable\""),
            "{path}: {response:?}"
        );
    }
}
