//! The pages for administrators.

mod audit;
mod index;
mod settings;
mod start;

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;

#[test]
fn administration_is_for_administrators() {
    let world = World::with_projects();
    for login_required in ["0", "1"] {
        world.set(Setting::LoginRequired, login_required);
        for path in ["/admin", "/admin/index", "/settings", "/settings?tab=api"] {
            let anonymous = Browser::new(&world).get(path).assert_status(302);
            assert!(
                anonymous.location().starts_with("/login?back_url="),
                "{anonymous:?}"
            );
            Browser::logged_in(&world, "alice")
                .get(path)
                .assert_status(403);
            Browser::logged_in(&world, "admin")
                .get(path)
                .assert_status(200);
        }
    }
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    let own = alice.get("/my/account");
    let generation = world.app.search.status().generation;
    for (path, field) in [
        ("/settings", ("app_title", "Taken over")),
        ("/admin/index", ("do", "rebuild")),
    ] {
        alice.submit(&own, path, &[field]).assert_status(403);
        admin
            .post(path, &[field])
            .assert_status(403)
            .assert_contains("Send what you wrote");
        Browser::new(&world).post(path, &[field]).assert_status(401);
    }
    assert_eq!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .setting(Setting::AppTitle),
        "Quarry"
    );
    assert_eq!(world.app.search.status().generation, generation);
}
