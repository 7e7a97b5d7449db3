//! `GET /projects/:id/memberships`, `GET /memberships/:id`

use super::create;
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::memberships;
use quarry_world::{REPORTER, World, insert_group, user};
use serde_json::json;

#[test]
fn members_are_listed_by_id_to_everybody_who_sees_the_project() {
    let world = World::with_projects();
    let list = world
        .as_user("dave")
        .get("/projects/open/memberships.json")
        .assert_status(200);
    let alice = r#"{"id":1,"project":{"id":1,"name":"open"},"user":{"id":2,"name":"alice Tester"},"roles":[{"id":3,"name":"Manager"}]}"#;
    assert!(
        list.body
            .starts_with(&format!("{{\"memberships\":[{alice},{{\"id\":2,")),
        "{list:?}"
    );
    assert!(
        list.body
            .ends_with("],\"total_count\":3,\"offset\":0,\"limit\":25}"),
        "{list:?}"
    );
    let page = world
        .as_user("dave")
        .get("/projects/1/memberships.json?limit=1&offset=2")
        .assert_status(200);
    assert_eq!(page.array("/memberships").len(), 1);
    page.assert_json_path("/memberships/0/user/id", user("carol").0)
        .assert_json_path("/total_count", 3);
    let past = world
        .as_user("dave")
        .get("/projects/open/memberships.json?offset=9")
        .assert_status(200);
    assert_eq!(
        (
            past.array("/memberships").len(),
            past.integer("/total_count")
        ),
        (0, 3)
    );
    let xml = world
        .as_user("dave")
        .get("/projects/open/memberships.xml")
        .assert_status(200)
        .body;
    let item = "<membership><id>1</id><project id=\"1\" name=\"open\"/><user id=\"2\" name=\"alice Tester\"/>\
                <roles type=\"array\"><role id=\"3\" name=\"Manager\"/></roles></membership>";
    assert!(
        xml.contains(&format!(
            "<memberships total_count=\"3\" offset=\"0\" limit=\"25\" type=\"array\">{item}"
        )),
        "{xml}"
    );
    let shown = world
        .as_user("dave")
        .get("/memberships/1.json")
        .assert_status(200)
        .body;
    assert_eq!(shown, format!("{{\"membership\":{alice}}}"));
    assert!(
        world
            .as_user("dave")
            .get("/memberships/1.xml")
            .assert_status(200)
            .body
            .ends_with(item)
    );
}

#[test]
fn group_is_listed_as_group() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let group = world.write(move |db| {
        let group = insert_group(db, "Quality", &[], now)?;
        memberships::insert(db, 1.into(), group, &[REPORTER], now).map(|_| group)
    });
    let shown = world
        .as_user("dave")
        .get("/memberships/5.json")
        .assert_status(200)
        .json_path("/membership");
    assert_eq!(shown["group"], json!({"id": group.0, "name": "Quality"}));
    assert!(shown.get("user").is_none());
}

#[test]
fn memberships_of_hidden_projects_are_forbidden() {
    let world = World::with_projects();
    for login in ["bob", "dave"] {
        world
            .as_user(login)
            .get("/projects/secret/memberships.json")
            .assert_status(403);
        world
            .as_user(login)
            .get("/memberships/4.json")
            .assert_status(403);
    }
    world
        .as_user("alice")
        .get("/memberships/4.json")
        .assert_status(200);
    world
        .as_user("alice")
        .get("/memberships/99.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/memberships/x.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/projects/none/memberships.json")
        .assert_status(404);
    world
        .anonymous()
        .get("/projects/open/memberships.json")
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .get("/projects/open/memberships.json")
        .assert_status(200);
    world
        .anonymous()
        .get("/projects/secret/memberships.json")
        .assert_status(401);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    world
        .as_user("admin")
        .get("/projects/open/memberships.json")
        .assert_status(403);
}

fn members_seen(world: &World, erin: i64, login: &str) -> (usize, i64, u16) {
    let list = world
        .as_user(login)
        .get("/projects/open/memberships.json")
        .assert_status(200);
    (
        list.array("/memberships").len(),
        list.integer("/total_count"),
        world
            .as_user(login)
            .get(&format!("/memberships/{erin}.json"))
            .status,
    )
}

#[test]
fn members_who_cannot_log_in_are_shown_to_managers_only() {
    let world = World::with_projects();
    let erin = create(
        &world,
        "admin",
        "open",
        json!({"user_id": user("erin").0, "role_ids": [5]}),
    )
    .assert_status(201)
    .integer("/membership/id");
    assert_eq!(members_seen(&world, erin, "alice"), (4, 4, 200));
    assert_eq!(members_seen(&world, erin, "bob"), (3, 3, 404));
}

fn members_seen_by_carol(world: &World) -> (i64, u16) {
    let total = world
        .as_user("carol")
        .get("/projects/open/memberships.json")
        .assert_status(200)
        .integer("/total_count");
    (
        total,
        world.as_user("carol").get("/memberships/2.json").status,
    )
}

#[test]
fn members_who_cannot_log_in_are_shown_to_everybody_with_the_compatibility_switch() {
    let world = World::with_projects();
    world.sql("UPDATE users SET status = 3 WHERE login = 'bob'");
    assert_eq!(members_seen_by_carol(&world), (2, 404));
    world.set(
        quarry::domain::administration::setting::Setting::RedmineCompatibility,
        "1",
    );
    assert_eq!(members_seen_by_carol(&world), (3, 200));
}
