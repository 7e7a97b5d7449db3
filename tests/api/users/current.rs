//! `GET /users/current`

use quarry::store::accounts::{memberships, users};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World, insert_group, user};
use serde_json::json;

#[test]
fn current_user_sees_own_api_key() {
    let world = World::new();
    let response = world
        .as_user("alice")
        .get("/users/current.json")
        .assert_status(200);
    let user = &response.json()["user"];
    let names: Vec<&String> = user.as_object().unwrap().keys().collect();
    let expected = [
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
    assert_eq!(names, expected);
    assert_eq!(user["api_key"], world.key("alice"));
    let xml = world
        .as_user("alice")
        .get("/users/current.xml")
        .assert_status(200)
        .body;
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?><user><id>2</id><login>alice</login><admin>false</admin>"), "{xml}");
}

#[test]
fn administrator_sees_more_fields() {
    let world = World::new();
    let user = world
        .as_user("admin")
        .get("/users/current.json")
        .assert_status(200)
        .json_path("/user");
    assert_eq!(user["mail"], "");
    assert_eq!(user["status"], 1);
}

#[test]
fn memberships_include_inherited_roles() {
    let world = World::new();
    let top = world.project("top").member("alice", MANAGER).create();
    let now = world.app.clock.now();
    world.write(move |db| {
        let bob = user("bob");
        let group = insert_group(db, "Quality", &[bob], now)?;
        memberships::insert(db, top, group, &[REPORTER], now)?;
        memberships::insert(db, top, bob.into(), &[DEVELOPER], now)
    });
    let user = world
        .as_user("bob")
        .get("/users/current.json?include=memberships,groups")
        .assert_status(200)
        .json_path("/user");
    let roles =
        json!([{"id": 5, "name": "Reporter", "inherited": true}, {"id": 4, "name": "Developer"}]);
    assert_eq!(
        user["memberships"],
        json!([{"id": 3, "project": {"id": 1, "name": "top"}, "roles": roles}])
    );
    assert!(
        user.get("groups").is_none(),
        "groups are for administrators"
    );
    let xml = world
        .as_user("bob")
        .get("/users/current.xml?include=memberships")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<role id=\"5\" name=\"Reporter\" inherited=\"true\"/>"),
        "{xml}"
    );
}

#[test]
fn password_login_updates_last_login() {
    let world = World::new();
    assert!(
        world
            .as_user("alice")
            .get("/users/current.json")
            .assert_status(200)
            .json()["user"]["last_login_on"]
            .is_null()
    );
    let user = world
        .anonymous()
        .basic("alice", "alicealice")
        .get("/users/current.json")
        .assert_status(200)
        .json_path("/user");
    assert_eq!(user["last_login_on"], "2026-11-20T12:00:00Z");
}

fn api_key(response: quarry_world::Response) -> Option<String> {
    response.assert_status(200).json()["user"]["api_key"]
        .as_str()
        .map(str::to_owned)
}

#[test]
fn user_without_a_key_gets_one() {
    let world = World::new();
    world
        .sql("UPDATE users SET api_key_digest = NULL, api_key_sealed = NULL WHERE id IN (3, 4, 5)");
    let made = api_key(
        world
            .anonymous()
            .basic("bob", "bobbobbob")
            .get("/users/current.json"),
    )
    .unwrap();
    assert_eq!(made.len(), 40);
    assert_eq!(
        api_key(
            world
                .anonymous()
                .basic("bob", "bobbobbob")
                .get("/users/current.json")
        )
        .as_ref(),
        Some(&made),
        "the same one afterwards"
    );
    let with_key = world
        .anonymous()
        .with("X-Service-API-Key", &made)
        .get("/users/current.json")
        .assert_status(200);
    assert_eq!(with_key.json()["user"]["login"], "bob");
    let carol = world.anonymous().basic("carol", "carolcarol");
    let made = api_key(carol.get("/my/account.json"));
    assert!(made.is_some());
    assert_eq!(made, api_key(carol.get("/users/4.json")));
    // An administrator sees the key of everybody; others do not make any.
    assert_eq!(api_key(world.as_user("alice").get("/users/5.json")), None);
    assert!(
        !world
            .app
            .store
            .read(|db| users::has_api_key(db, user("dave")))
            .unwrap()
    );
    let made = api_key(world.as_user("admin").get("/users/5.json"));
    assert_eq!(made.as_ref().map(String::len), Some(40));
    let xml = world
        .anonymous()
        .basic("dave", "davedave")
        .get("/users/current.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains(&format!("<api_key>{}</api_key>", made.unwrap())),
        "{xml}"
    );
}

#[test]
fn groups_are_in_the_order_of_their_ids() {
    let world = World::new();
    for name in ["Zeta", "Alpha"] {
        world
            .as_user("admin")
            .post(
                "/groups.json",
                json!({"group": {"name": name, "user_ids": [1]}}),
            )
            .assert_status(201);
    }
    let groups = world
        .as_user("admin")
        .get("/users/current.json?include=groups")
        .assert_status(200)
        .json_path("/user/groups");
    assert_eq!(
        groups,
        json!([{"id": 7, "name": "Zeta"}, {"id": 8, "name": "Alpha"}])
    );
}
