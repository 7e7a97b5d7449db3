//! `/admin`.

use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::users;
use quarry_world::browser::Browser;
use quarry_world::{World, user};

const REST_OFF: &str = "The REST API is off";
const NO_HOST: &str = "The host name is not set";
const NO_TLS: &str = "The protocol is HTTP";
const OLD_PASSWORD: &str = "admin is an administrator and still has the password";
const NO_SECOND_FACTOR: &str = "1 administrator logs in without a second factor.";

fn page(world: &World) -> String {
    Browser::logged_in(world, "admin")
        .get("/admin")
        .assert_status(200)
        .body
}

#[test]
fn only_what_is_true_needs_attention() {
    let world = World::new();
    let before = page(&world);
    assert!(
        before.contains(NO_TLS)
            && before.contains(OLD_PASSWORD)
            && before.contains(NO_SECOND_FACTOR),
        "{before}"
    );
    assert!(
        !before.contains(REST_OFF) && !before.contains(NO_HOST) && !before.contains("index is"),
        "{before}"
    );
    world.set(Setting::RestApiEnabled, "0");
    world.set(Setting::HostName, "");
    let after = page(&world);
    assert!(
        after.contains(REST_OFF) && after.contains(NO_HOST) && !after.contains(NO_TLS),
        "{after}"
    );
    let changed = "2026-11-20T13:00:00Z".parse().unwrap();
    let hash = world
        .app
        .store
        .read(|db| users::password_hash(db, user("admin")))
        .unwrap();
    world.write(move |db| users::set_password(db, user("admin"), &hash, changed));
    world.sql("UPDATE users SET twofa_scheme = 'totp' WHERE id = 1");
    let browser = Browser::with(world.as_user("admin"));
    world.set(Setting::RestApiEnabled, "1");
    let last = browser.get("/admin").assert_status(200).body;
    assert!(
        !last.contains(OLD_PASSWORD)
            && !last.contains(NO_SECOND_FACTOR)
            && !last.contains(REST_OFF),
        "{last}"
    );
}

#[test]
fn large_unattached_uploads_and_waiting_users_are_noted() {
    let world = World::new();
    assert!(!page(&world).contains("not attached") && !page(&world).contains("to be activated"));
    world.sql(
        "INSERT INTO attachments (filename, filesize, author_id, created_on) VALUES ('a', 300000000, 2, 1);
         UPDATE users SET status = 2 WHERE id = 4",
    );
    let page = page(&world);
    assert!(
        page.contains("1 upload (286.1 MB) is not attached"),
        "{page}"
    );
    assert!(page.contains("1 user waits to be activated."), "{page}");
}

#[test]
fn parts_are_linked_with_their_numbers() {
    let world = World::with_projects();
    let page = page(&world);
    for part in [
        "href=\"/users\"><b>Users</b>",
        "6 users, 1 locked",
        "2 projects",
        "href=\"/settings\"",
        "href=\"/admin/index\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}
