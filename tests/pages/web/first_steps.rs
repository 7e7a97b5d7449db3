//! What is left to do after the set-up, on the start page of administrators.

use quarry::domain::administration::backup::LastBackup;
use quarry::domain::administration::setting::Setting;
use quarry::store::backup::status;
use quarry_world::World;
use quarry_world::browser::Browser;

const HIDE: &str = "/admin/first_steps";
const TITLE: &str = ">Left to do</h2>";

fn start_page(world: &World, login: &str) -> String {
    Browser::logged_in(world, login)
        .get("/")
        .assert_status(200)
        .body
}

#[test]
fn list_of_what_is_left_goes_away_when_all_is_done() {
    let world = World::with_projects().with_mail("smtp://127.0.0.1:9");
    world.sql("UPDATE users SET status = 3 WHERE login <> 'admin'");
    let page = start_page(&world, "admin");
    assert!(
        page.contains(TITLE) && page.contains("1 of 4 done"),
        "{page}"
    );
    for path in [
        "/invitations/several",
        "/admin/index#backups",
        "/admin/welcome#import",
    ] {
        assert!(
            page.contains(&format!("<a href=\"{path}\">")),
            "{path}: {page}"
        );
    }
    assert!(page.contains("Done: </span>Set up mail"), "{page}");
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/admin")
        .assert_contains("3 things are left to do after the set-up.");
    world.sql("UPDATE users SET status = 1 WHERE login <> 'admin'");
    world.issue("open").create();
    assert!(start_page(&world, "admin").contains("3 of 4 done"));
    let last = LastBackup {
        name: "first".to_owned(),
        folder: "/backups".to_owned(),
        created_on: world.app.clock.now(),
        bytes: 1,
        problems: 0,
    };
    world.write(move |db| status::note_success(db, &last));
    let page = start_page(&world, "admin");
    assert!(!page.contains(TITLE), "{page}");
    let page = admin.get("/admin").assert_status(200);
    assert!(!page.body.contains("after the set-up"), "{page:?}");
}

#[test]
fn only_administrators_see_what_is_left_and_hide_it_for_good() {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "0");
    assert!(!start_page(&world, "alice").contains(TITLE));
    let stranger = Browser::new(&world);
    let page = stranger.get("/").assert_status(200);
    assert!(!page.body.contains(TITLE));
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/").assert_status(200);
    alice.submit(&page, HIDE, &[]).assert_status(403);
    assert_ne!(stranger.post(HIDE, &[]).status, 303);
    let admin = Browser::logged_in(&world, "admin");
    admin.post(HIDE, &[]).assert_status(403);
    let page = admin.get("/").assert_status(200).assert_contains(TITLE);
    // Sent twice, as by two tabs.
    admin.submit(&page, HIDE, &[]).assert_status(303);
    admin.submit(&page, HIDE, &[]).assert_status(303);
    let page = start_page(&world, "admin");
    assert!(!page.contains(TITLE), "{page}");
    admin
        .get("/admin/audit?record=setting")
        .assert_contains("show_first_steps");
    // The setting brings it back.
    world.set(Setting::ShowFirstSteps, "1");
    assert!(start_page(&world, "admin").contains(TITLE));
}
