//! `GET /users/:id`

use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::{memberships, users};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World, insert_group, user};

fn statuses_for_carol(world: &World) -> [u16; 3] {
    ["bob", "alice", "dave"].map(|login| {
        world
            .as_user("carol")
            .get(&format!("/users/{}.json", user(login).0))
            .status
    })
}

/// Carol sees the project `open`, and `below`, which inherits members from the hidden `above`. No
/// role shows all users.
#[test]
fn memberships_through_groups_and_parents_are_listed() {
    let world = World::new();
    let open = world.project("open").member("carol", REPORTER).create();
    let above = world
        .project("above")
        .private()
        .member("dave", DEVELOPER)
        .create();
    let below = world.project("below").create();
    let now = world.app.clock.now();
    world.write(move |db| {
        let group = insert_group(db, "Quality", &[user("bob")], now)?;
        memberships::insert(db, open, group, &[DEVELOPER], now)?;
        memberships::insert(db, above, user("alice").into(), &[MANAGER], now)
    });
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    assert_eq!(statuses_for_carol(&world), [200, 404, 404]);
    world.sql(&format!(
        "UPDATE projects SET parent_id = {above}, inherit_members = 1 WHERE id = {below}"
    ));
    assert_eq!(statuses_for_carol(&world), [200, 200, 200]);
    world.sql(&format!(
        "UPDATE projects SET inherit_members = 0 WHERE id = {below}"
    ));
    assert_eq!(statuses_for_carol(&world), [200, 404, 404]);
}

/// Alice is a member of a public project, bob of a private one; dave has no membership.
fn world_open_to_everybody() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("carol", REPORTER)
        .create();
    world
        .project("secret")
        .private()
        .member("bob", DEVELOPER)
        .create();
    world.set(Setting::LoginRequired, "0");
    world
}

#[test]
fn anonymous_users_see_no_logins() {
    let world = world_open_to_everybody();
    let path = format!("/users/{}", user("alice").0);
    let shown = world
        .anonymous()
        .get(&format!("{path}.json?include=memberships,groups"))
        .assert_status(200)
        .json_path("/user");
    assert_eq!(
        (&shown["firstname"], &shown["lastname"]),
        (&"alice".into(), &"Tester".into())
    );
    for name in [
        "login",
        "mail",
        "admin",
        "api_key",
        "status",
        "groups",
        "twofa_scheme",
    ] {
        assert!(shown.get(name).is_none(), "{name}: {shown}");
    }
    let xml = world
        .anonymous()
        .get(&format!("{path}.xml"))
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<firstname>alice</firstname>") && !xml.contains("<login>"),
        "{xml}"
    );
    for login in ["alice", "carol", "dave", "admin"] {
        assert_eq!(
            world
                .as_user(login)
                .get(&format!("{path}.json"))
                .assert_status(200)
                .json()["user"]["login"],
            "alice",
            "{login}"
        );
    }
    world
        .anonymous()
        .get(&format!("/users/{}.json", user("erin").0))
        .assert_status(404);
    world.anonymous().get("/users.json").assert_status(401);
    world
        .anonymous()
        .get("/users/current.json")
        .assert_status(401);
    world.set(Setting::LoginRequired, "1");
    world
        .anonymous()
        .get(&format!("{path}.json"))
        .assert_status(401);
}

fn statuses_for(client: &quarry_world::Client<'_>) -> [u16; 3] {
    ["alice", "bob", "dave"]
        .map(|login| client.get(&format!("/users/{}.json", user(login).0)).status)
}

#[test]
fn users_visibility_of_the_role_limits_visible_users() {
    let world = world_open_to_everybody();
    let anonymous = world.anonymous();
    let non_member = world.as_user("dave");
    let member = world.as_user("carol");
    assert_eq!(
        [
            statuses_for(&anonymous),
            statuses_for(&non_member),
            statuses_for(&member)
        ],
        [[200; 3]; 3]
    );
    // First only anonymous users are limited, then non-members, then members.
    world
        .sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 2");
    assert_eq!(
        [
            statuses_for(&anonymous),
            statuses_for(&non_member),
            statuses_for(&member)
        ],
        [[200, 404, 404], [200; 3], [200; 3]]
    );
    world
        .sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 1");
    assert_eq!(
        [
            statuses_for(&anonymous),
            statuses_for(&non_member),
            statuses_for(&member)
        ],
        [[200, 404, 404], [200, 404, 200], [200; 3]]
    );
    world
        .sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 0");
    assert_eq!(
        [
            statuses_for(&anonymous),
            statuses_for(&non_member),
            statuses_for(&member)
        ],
        [[200, 404, 404], [200, 404, 200], [200, 404, 404]]
    );
}

#[test]
fn anonymous_user_is_shown_to_administrators() {
    let world = world_open_to_everybody();
    let id = world.write(users::insert_anonymous).0;
    let path = format!("/users/{id}");
    let shown = world
        .as_user("admin")
        .get(&format!("{path}.json?include=memberships,groups"))
        .assert_status(200)
        .json_path("/user");
    let expected = serde_json::json!({"id": id, "login": "", "admin": false, "firstname": "", "lastname": "Anonymous", "mail": "",
        "created_on": "2026-11-20T12:00:00Z", "updated_on": "2026-11-20T12:00:00Z", "last_login_on": null, "passwd_changed_on": null,
        "twofa_scheme": null, "status": 0, "groups": [], "memberships": []});
    assert_eq!(shown, expected, "without an API key");
    let xml = world
        .as_user("admin")
        .get(&format!("{path}.xml"))
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<lastname>Anonymous</lastname>") && xml.contains("<status>0</status>"),
        "{xml}"
    );
    world
        .as_user("alice")
        .get(&format!("{path}.json"))
        .assert_status(404);
    world
        .anonymous()
        .get(&format!("{path}.json"))
        .assert_status(404);
    world
        .as_user("admin")
        .put(
            &format!("{path}.json"),
            serde_json::json!({"user": {"status": 1}}),
        )
        .assert_status(404);
    world
        .as_user("admin")
        .delete(&format!("{path}.json"))
        .assert_status(404);
    let locked = serde_json::json!({"user": {"status": 0}});
    let errors = world
        .as_user("admin")
        .put(&format!("/users/{}.json", user("bob").0), locked)
        .assert_status(422)
        .errors();
    assert_eq!(errors, ["Status is not included in the list"]);
}
