//! `GET /users/current`

use crate::world::{DEVELOPER, MANAGER, REPORTER, World, user};
use quarry::store::{roles, users};
use serde_json::json;

#[test]
fn one_sees_oneself_with_the_key() {
    let world = World::new();
    let answer = world.as_user("alice").get("/users/current.json").expect(200);
    let user = &answer.json()["user"];
    let names: Vec<&String> = user.as_object().unwrap().keys().collect();
    let wanted = [
        "id",
        "login",
        "admin",
        "firstname",
        "lastname",
        "created_on",
        "updated_on",
        "last_login_on",
        "passwd_changed_on",
        "twofa_scheme",
        "api_key",
    ];
    assert_eq!(names, wanted);
    assert_eq!(user["api_key"], world.key("alice"));
    let xml = world.as_user("alice").get("/users/current.xml").expect(200).body;
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?><user><id>2</id><login>alice</login><admin>false</admin>"), "{xml}");
}

#[test]
fn administrators_see_more() {
    let world = World::new();
    let user = world.as_user("admin").get("/users/current.json").expect(200).json()["user"].clone();
    assert_eq!((user["mail"].as_str(), user["status"].as_i64()), (Some(""), Some(1)));
}

#[test]
fn memberships_are_shown_with_what_is_inherited() {
    let world = World::new();
    let top = world.project("top", true, &[("alice", MANAGER)]);
    let now = world.app.clock.now();
    world.write(move |db| {
        let bob = user("bob");
        let group = users::insert_group(db, None, "Quality", &[bob], now)?;
        roles::add_member(db, top, group, &[REPORTER], now)?;
        roles::add_member(db, top, bob.into(), &[DEVELOPER], now)
    });
    let user = world.as_user("bob").get("/users/current.json?include=memberships,groups").expect(200).json()["user"].clone();
    let roles = json!([{"id": 4, "name": "Developer"}, {"id": 5, "name": "Reporter", "inherited": true}]);
    assert_eq!(user["memberships"], json!([{"id": 3, "project": {"id": 1, "name": "top"}, "roles": roles}]));
    assert!(user.get("groups").is_none(), "groups are for administrators");
    let xml = world.as_user("bob").get("/users/current.xml?include=memberships").expect(200).body;
    assert!(xml.contains("<role id=\"5\" name=\"Reporter\" inherited=\"true\"/>"), "{xml}");
}

#[test]
fn a_login_with_a_password_is_noted() {
    let world = World::new();
    assert!(world.as_user("alice").get("/users/current.json").expect(200).json()["user"]["last_login_on"].is_null());
    let user = world.anonymous().basic("alice", "alicealice").get("/users/current.json").expect(200).json()["user"].clone();
    assert_eq!(user["last_login_on"], "2026-11-20T12:00:00Z");
}
