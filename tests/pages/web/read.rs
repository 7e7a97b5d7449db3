//! The pages of records, read by several viewers.

use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;
use quarry_world::{DEVELOPER, REPORTER, World};
use serde_json::json;

/// A text that would do harm if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(1)> \"' & [x](javascript:alert(1)) #999999 [[Nowhere]]";

fn assert_harmless(path: &str, html: &str) {
    for harm in ["<script>alert", "<img src=x", "href=\"javascript:"] {
        assert!(!html.contains(harm), "{harm} in {path}: {html}");
    }
}

fn hostile_world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    let issue = world
        .issue("open")
        .subject(HOSTILE)
        .description(HOSTILE)
        .create();
    let alice = world.as_user("alice");
    alice
        .put(
            &format!("/issues/{issue}.json"),
            json!({"issue": {"notes": HOSTILE, "subject": format!("{HOSTILE}!")}}),
        )
        .assert_status(200);
    alice
        .put(
            "/projects/open/wiki/Wiki.json",
            json!({"wiki_page": {"text": HOSTILE, "comments": HOSTILE}}),
        )
        .assert_status(201);
    alice
        .put(
            "/projects/open/wiki/Wiki.json",
            json!({"wiki_page": {"text": format!("{HOSTILE}\nmore")}}),
        )
        .assert_status(200);
    world
}

#[test]
fn hostile_texts_are_escaped_on_every_page() {
    let world = hostile_world();
    let browser = Browser::logged_in(&world, "alice");
    for path in [
        "/",
        "/projects",
        "/projects/open",
        "/projects/open/issues?status_id=*",
        "/issues?subject=%3Cscript%3Ealert(1)%3C/script%3E",
        "/issues/1",
        "/projects/open/wiki",
        "/projects/open/wiki/index",
        "/projects/open/wiki/Wiki/1",
        "/projects/open/wiki/Wiki/history",
        "/projects/open/wiki/Wiki/diff?version=2&version_from=1",
        "/projects/open/news",
        "/projects/open/documents",
        "/projects/open/boards",
        "/projects/open/repository",
        "/news",
    ] {
        let page = browser.get(path).assert_status(200);
        assert_harmless(path, &page.body);
    }
    browser
        .get("/issues/1")
        .assert_status(200)
        .assert_contains("&lt;script&gt;");
}

#[test]
fn hidden_records_look_like_missing_ones() {
    let world = hostile_world();
    world
        .project("secret")
        .private()
        .member("alice", DEVELOPER)
        .create();
    let hidden = world.issue("secret").subject("hidden subject").create();
    world
        .as_user("alice")
        .put(
            "/projects/secret/wiki/Wiki.json",
            json!({"wiki_page": {"text": "hidden text"}}),
        )
        .assert_status(201);
    let pairs = [
        (format!("/issues/{hidden}"), "/issues/999999"),
        ("/projects/secret".to_owned(), "/projects/nowhere"),
        (
            "/projects/secret/issues".to_owned(),
            "/projects/nowhere/issues",
        ),
        (
            "/projects/secret/wiki/Wiki".to_owned(),
            "/projects/nowhere/wiki/Wiki",
        ),
        (
            "/projects/secret/wiki/Wiki/history".to_owned(),
            "/projects/nowhere/wiki/Wiki/history",
        ),
    ];
    let carol = Browser::logged_in(&world, "carol");
    let stranger = Browser::new(&world);
    for (hidden, missing) in pairs {
        carol.get(&hidden).assert_status(404);
        carol.get(missing).assert_status(404);
        assert_eq!(
            stranger.get(&hidden).status,
            stranger.get(missing).status,
            "{hidden}"
        );
    }
    for path in ["/issues?status_id=*", "/projects", "/projects/open"] {
        let page = carol.get(path).assert_status(200);
        assert!(
            !page.body.contains("hidden subject") && !page.body.contains("secret"),
            "{path}: {}",
            page.body
        );
    }
}

#[test]
fn private_notes_are_shown_to_those_who_may_read_them() {
    let world = hostile_world();
    let note = json!({"issue": {"notes": "for developers", "private_notes": true}});
    world
        .as_user("alice")
        .put("/issues/1.json", note)
        .assert_status(200);
    Browser::logged_in(&world, "alice")
        .get("/issues/1")
        .assert_status(200)
        .assert_contains("for developers");
    let page = Browser::logged_in(&world, "carol")
        .get("/issues/1")
        .assert_status(200);
    assert!(!page.body.contains("for developers"), "{}", page.body);
}

#[test]
fn history_is_told_in_names() {
    let world = hostile_world();
    world
        .as_user("alice")
        .put(
            "/issues/1.json",
            json!({"issue": {"done_ratio": 30, "due_date": "2030-12-20"}}),
        )
        .assert_status(200);
    let page = Browser::logged_in(&world, "carol")
        .get("/issues/1")
        .assert_status(200);
    page.assert_contains("set <b>% Done</b> from <b>0 %</b> to <b>30 %</b>")
        .assert_contains("set <b>Due date</b> to <b>20 Dec 2030</b>");
}

#[test]
fn issue_list_is_sorted_filtered_and_paged_by_its_address() {
    let world = World::new();
    world.project("open").member("alice", DEVELOPER).create();
    for number in 1..=30 {
        world
            .issue("open")
            .subject(&format!("issue number {number}."))
            .create();
    }
    let browser = Browser::logged_in(&world, "alice");
    let first = browser
        .get("/projects/open/issues?sort=id&limit=10")
        .assert_status(200);
    assert!(
        first.body.contains("number 1.<") && !first.body.contains("number 11.<"),
        "{}",
        first.body
    );
    assert!(
        first.body.contains("sort=id&#38;limit=10&#38;page=2")
            || first.body.contains("sort=id&amp;limit=10&amp;page=2"),
        "{}",
        first.body
    );
    let second = browser
        .get("/projects/open/issues?sort=id&limit=10&page=2")
        .assert_status(200);
    assert!(
        second.body.contains("number 11.<") && !second.body.contains("number 1.<"),
        "{}",
        second.body
    );
    browser
        .get("/issues?status_id=closed")
        .assert_status(200)
        .assert_contains("No issues match.");
    browser.get("/issues?page=999999999999").assert_status(200);
}

#[test]
fn message_of_a_changeset_is_shown_once_with_its_links() {
    let world = complete_world();
    let browser = Browser::logged_in(&world, "alice");
    let line = browser
        .get("/projects/secret/repository/tools/revisions/abc123")
        .assert_status(200);
    assert_eq!(line.body.matches("Add a wrench").count(), 1, "{line:?}");
    let lines = browser
        .get("/projects/secret/repository/revisions/12")
        .assert_status(200);
    assert_eq!(lines.body.matches("Mount the pump").count(), 1, "{lines:?}");
    assert!(
        lines.body.contains("<h1>Revision 12</h1>") && lines.body.contains("href=\"/issues/1\""),
        "{lines:?}"
    );
}

#[test]
fn status_of_a_version_has_a_capital_letter() {
    let world = complete_world();
    let browser = Browser::logged_in(&world, "alice");
    browser
        .get("/versions/1")
        .assert_status(200)
        .assert_contains("<span class=\"badge\">Open</span>");
    browser
        .get("/versions/2")
        .assert_status(200)
        .assert_contains("<span class=\"badge\">Closed</span>");
}
