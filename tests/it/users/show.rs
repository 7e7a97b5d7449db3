//! `GET /users/:id`

use crate::world::{DEVELOPER, MANAGER, REPORTER, World, user};
use quarry::domain::setting::Setting;
use quarry::store::{roles, users};

/// Carol sees the project `open`, and `below`, which has the members of `above`, which she does not see. No role shows all users.
#[test]
fn members_through_a_group_and_from_the_project_above_are_known() {
    let world = World::new();
    let open = world.project("open", true, &[("carol", REPORTER)]);
    let above = world.project("above", false, &[("dave", DEVELOPER)]);
    let below = world.project("below", true, &[]);
    let now = world.app.clock.now();
    world.write(move |db| {
        let group = users::insert_group(db, None, "Quality", &[user("bob")], now)?;
        roles::add_member(db, open, group, &[DEVELOPER], now)?;
        roles::add_member(db, above, user("alice").into(), &[MANAGER], now)
    });
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let seen = || ["bob", "alice", "dave"].map(|login| world.as_user("carol").get(&format!("/users/{}.json", user(login).0)).status);
    assert_eq!(seen(), [200, 404, 404]);
    world.sql(&format!("UPDATE projects SET parent_id = {above}, inherit_members = 1 WHERE id = {below}"));
    assert_eq!(seen(), [200, 200, 200]);
    world.sql(&format!("UPDATE projects SET inherit_members = 0 WHERE id = {below}"));
    assert_eq!(seen(), [200, 404, 404]);
}

/// Alice is a member of a public project, bob of a private one, dave of nothing.
fn world_open_to_everybody() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("carol", REPORTER)]);
    world.project("secret", false, &[("bob", DEVELOPER)]);
    world.set(Setting::LoginRequired, "0");
    world
}

#[test]
fn the_public_learns_no_login() {
    let world = world_open_to_everybody();
    let path = format!("/users/{}", user("alice").0);
    let shown = world.anonymous().get(&format!("{path}.json?include=memberships,groups")).expect(200).json()["user"].clone();
    assert_eq!((&shown["firstname"], &shown["lastname"]), (&"alice".into(), &"Tester".into()));
    for name in ["login", "mail", "admin", "api_key", "status", "groups", "twofa_scheme"] {
        assert!(shown.get(name).is_none(), "{name}: {shown}");
    }
    let xml = world.anonymous().get(&format!("{path}.xml")).expect(200).body;
    assert!(xml.contains("<firstname>alice</firstname>") && !xml.contains("<login>"), "{xml}");
    for login in ["alice", "carol", "dave", "admin"] {
        assert_eq!(world.as_user(login).get(&format!("{path}.json")).expect(200).json()["user"]["login"], "alice", "{login}");
    }
    let _ = world.anonymous().get(&format!("/users/{}.json", user("erin").0)).expect(404);
    let _ = world.anonymous().get("/users.json").expect(401);
    let _ = world.anonymous().get("/users/current.json").expect(401);
    world.set(Setting::LoginRequired, "1");
    let _ = world.anonymous().get(&format!("{path}.json")).expect(401);
}

#[test]
fn the_role_of_the_viewer_says_who_is_shown() {
    let world = world_open_to_everybody();
    let seen = |client: &crate::world::Client<'_>| {
        ["alice", "bob", "dave"].map(|login| client.get(&format!("/users/{}.json", user(login).0)).status)
    };
    let (anonymous, non_member, member) = (world.anonymous(), world.as_user("dave"), world.as_user("carol"));
    assert_eq!([seen(&anonymous), seen(&non_member), seen(&member)], [[200; 3]; 3]);
    // Anonymous alone is limited, then the non-member, then the member.
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 2");
    assert_eq!([seen(&anonymous), seen(&non_member), seen(&member)], [[200, 404, 404], [200; 3], [200; 3]]);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 1");
    assert_eq!([seen(&anonymous), seen(&non_member), seen(&member)], [[200, 404, 404], [200, 404, 200], [200; 3]]);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects' WHERE builtin = 0");
    assert_eq!([seen(&anonymous), seen(&non_member), seen(&member)], [[200, 404, 404], [200, 404, 200], [200, 404, 404]]);
}
