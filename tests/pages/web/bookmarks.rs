//! Bookmarks of projects: set and removed on pages, and used by searches.

use quarry_world::World;
use quarry_world::browser::Browser;

fn bookmark(browser: &Browser<'_>, project: &str, value: &str, status: u16) {
    let page = browser.get("/projects").assert_status(200);
    let path = format!("/projects/{project}/bookmark");
    let _ = browser
        .submit(
            &page,
            &path,
            &[("bookmark", value), ("back_url", "/projects")],
        )
        .assert_status(status);
}

fn results(browser: &Browser<'_>) -> usize {
    browser
        .get("/search?scope=bookmarks&q=pump")
        .assert_status(200)
        .body
        .matches("<li class=\"hit")
        .count()
}

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").subject("pump in the open").create();
    world.issue("secret").subject("pump in secret").create();
    world
}

#[test]
fn bookmarks_limit_a_search() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(results(&alice), 0);
    bookmark(&alice, "open", "1", 303);
    bookmark(&alice, "open", "1", 303);
    assert_eq!(results(&alice), 1);
    bookmark(&alice, "secret", "1", 303);
    assert_eq!(results(&alice), 2);
    assert_eq!(results(&Browser::logged_in(&world, "bob")), 0);
    bookmark(&alice, "open", "0", 303);
    bookmark(&alice, "open", "0", 303);
    assert_eq!(results(&alice), 1);
}

#[test]
fn button_shows_the_state_and_leads_back() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/projects/open").assert_status(200);
    page.body.find("formaction=\"/projects/open/bookmark\" name=\"bookmark\" value=\"1\" aria-pressed=\"false\"").unwrap();
    let fields = [("bookmark", "1"), ("back_url", "/projects/open?x=1")];
    assert_eq!(
        alice
            .submit(&page, "/projects/open/bookmark", &fields)
            .assert_status(303)
            .location(),
        "/projects/open?x=1"
    );
    let page = alice
        .get("/projects/open")
        .assert_status(200)
        .assert_contains("open is bookmarked.");
    page.body.find("value=\"0\" aria-pressed=\"true\"").unwrap();
    let _ = alice
        .get("/projects")
        .assert_status(200)
        .assert_contains("aria-pressed=\"true\" aria-label=\"Bookmark open\"");
    let fields = [("bookmark", "0"), ("back_url", "//evil.test")];
    assert_eq!(
        alice
            .submit(&page, "/projects/open/bookmark", &fields)
            .assert_status(303)
            .location(),
        "/projects/open"
    );
}

#[test]
fn hidden_projects_look_like_missing_ones() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bookmark(&bob, "secret", "1", 404);
    bookmark(&bob, "nowhere", "1", 404);
    // A bookmark outlives the right to see the project, and shows nothing of it.
    world.sql("INSERT INTO bookmarks (user_id, project_id) SELECT 3, id FROM projects WHERE identifier = 'secret'");
    assert_eq!(results(&bob), 0);
}

#[test]
fn forms_are_checked() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    bookmark(&alice, "open", "maybe", 422);
    bookmark(&alice, "open", "", 422);
    alice
        .post("/projects/open/bookmark", &[("bookmark", "1")])
        .assert_status(403);
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    let stranger = Browser::new(&world);
    let page = stranger.get("/projects/open").assert_status(200);
    assert!(!page.body.contains("/bookmark"), "{}", page.body);
    let refused = stranger.post("/projects/open/bookmark", &[("bookmark", "1")]);
    assert!([401, 403].contains(&refused.status), "{refused:?}");
    assert_eq!(results(&alice), 0);
}

#[test]
fn start_page_has_one_search_box_and_the_visible_bookmarks() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/")
        .assert_status(200)
        .assert_contains("data-suggest=\"/search/suggest");
    assert_eq!(page.body.matches("type=\"search\"").count(), 1);
    assert!(!page.body.contains(">Bookmarks<"), "{}", page.body);
    bookmark(&alice, "secret", "1", 303);
    let page = alice
        .get("/")
        .assert_status(200)
        .assert_contains(">Bookmarks<");
    // In the sidebar, among the bookmarks, and in the list.
    assert_eq!(page.body.matches("href=\"/projects/secret\"").count(), 3);
    world.sql("INSERT INTO bookmarks (user_id, project_id) SELECT 3, id FROM projects WHERE identifier = 'secret'");
    let page = Browser::logged_in(&world, "bob")
        .get("/")
        .assert_status(200)
        .assert_contains("/projects/open");
    assert!(
        !page.body.contains("secret") && !page.body.contains(">Bookmarks<"),
        "{}",
        page.body
    );
}

fn chart_title(day: &str) -> String {
    format!("in the 12 weeks to {day}, the last activity")
}

#[test]
fn chart_of_a_quiet_project_ends_at_the_last_activity_that_the_viewer_may_see() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let _ = alice
        .get("/projects/open")
        .assert_status(200)
        .assert_contains("in the last 12 weeks");
    // 5 March 2015, in microseconds.
    world.sql("UPDATE issues SET created_on = 1425556800000000, closed_on = NULL");
    let _ = alice
        .get("/projects/open")
        .assert_status(200)
        .assert_contains(&chart_title("5 Mar 2015"));
    world.issue("open").subject("hidden").private().create();
    world.sql("UPDATE issues SET created_on = 1457179200000000 WHERE subject = 'hidden'");
    let _ = Browser::logged_in(&world, "bob")
        .get("/projects/open")
        .assert_status(200)
        .assert_contains(&chart_title("5 Mar 2015"));
}
