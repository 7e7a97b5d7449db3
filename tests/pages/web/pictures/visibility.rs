//! Who sees pictures of users.

use super::{RED, digest, plain, upload};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

/// alice is a member of `secret` and of `open`, carol of `open`, dave of nothing.
fn world() -> World {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    upload(&alice, "a.png", &plain(RED)).assert_status(303);
    world
}

#[test]
fn picture_of_a_hidden_user_looks_like_a_missing_one() {
    let world = world();
    world.issue("open").author("alice").create();
    world.set(Setting::LoginRequired, "0");
    let viewers = [Browser::logged_in(&world, "dave"), Browser::new(&world)];
    let address = format!("/users/2/picture?v={}", digest(&world, "alice").unwrap());
    for browser in &viewers {
        browser.get(&address).assert_status(200);
        browser.get("/issues/1").assert_contains(&address);
    }
    // Nobody but members see who works in a project; the author of an issue has a name, though.
    world.sql(
        "UPDATE roles SET users_visibility = 'members_of_visible_projects'; \
         DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 2); \
         DELETE FROM members WHERE user_id = 2",
    );
    let expected = [404, 302];
    for (browser, status) in viewers.iter().zip(expected) {
        let hidden = browser.get(&address).assert_status(status);
        let missing = browser
            .get(&address.replace("/users/2/", "/users/99/"))
            .assert_status(status);
        let without = |body: String| {
            let body = body.replace("%2Fusers%2F99%2F", "%2Fusers%2F2%2F");
            body.replace("/users/99/", "/users/2/")
        };
        assert_eq!(
            without(hidden.without_tokens()),
            without(missing.without_tokens())
        );
        let page = browser.get("/issues/1").assert_status(200);
        assert!(
            page.body.contains("alice Tester") && !page.body.contains("/picture"),
            "{page:?}"
        );
    }
    // The user and administrators still see it.
    for login in ["alice", "admin"] {
        let browser = Browser::logged_in(&world, login);
        browser.get(&address).assert_status(200);
    }
}

#[test]
fn picture_of_a_locked_user_stays_visible_as_the_name_does() {
    let world = world();
    world.issue("open").author("alice").create();
    let admin = world.as_user("admin");
    let locked = json!({ "user": { "status": 3 } });
    admin.put("/users/2.json", locked).assert_status(200);
    let carol = Browser::logged_in(&world, "carol");
    carol.get("/users/2").assert_status(404);
    carol.get("/users/2/picture").assert_status(200);
    carol
        .get("/issues/1")
        .assert_contains("/users/2/picture?v=");
}

#[test]
fn anonymous_sees_no_picture_where_a_login_is_required() {
    let world = world();
    world.set(Setting::LoginRequired, "1");
    for id in [2, 99] {
        let answer = Browser::new(&world)
            .get(&format!("/users/{id}/picture"))
            .assert_status(302);
        assert!(answer.location().starts_with("/login"), "{answer:?}");
    }
    // A client of the API uses its key.
    world
        .as_user("bob")
        .get("/users/2/picture")
        .assert_status(200);
}
