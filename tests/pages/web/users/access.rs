//! Sessions and API keys of users, which administrators end.

use quarry_world::World;
use quarry_world::browser::Browser;

#[test]
fn administrator_ends_sessions_and_revokes_the_key() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/users/3/sessions").assert_status(200);
    assert!(page.body.contains("127.0.0.1"), "{page:?}");
    let page = admin.get("/users/3/sessions/end").assert_status(200);
    admin
        .submit(&page, "/users/3/sessions/end", &[])
        .assert_status(303);
    bob.get("/my/account").assert_status(302);
    admin
        .get("/users/3/sessions")
        .assert_contains("The user has no sessions.");
    let key = world.as_user("bob");
    key.get("/users/current.json").assert_status(200);
    let page = admin.get("/users/3/api_key").assert_status(200);
    admin
        .submit(&page, "/users/3/api_key", &[])
        .assert_status(303);
    key.get("/users/current.json").assert_status(401);
    admin.get("/admin/audit").assert_contains("API key revoked");
}

#[test]
fn nobody_else_ends_sessions_or_revokes_keys() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/my/account").assert_status(200);
    for path in ["/users/3/sessions/end", "/users/3/api_key"] {
        alice.get(path).assert_status(403);
        alice.submit(&page, path, &[]).assert_status(403);
    }
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(200);
}
