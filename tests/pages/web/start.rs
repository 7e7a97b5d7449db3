//! The start page, and the overview of a project.

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;

/// Returns the positions of these texts in the page; fails if one is missing.
fn positions(body: &str, texts: &[&str]) -> Vec<usize> {
    let find = |text: &&str| body.find(text).unwrap_or_else(|| panic!("{text}: {body}"));
    texts.iter().map(find).collect()
}

#[test]
fn start_page_has_what_waits_for_the_viewer_above_the_projects() {
    let world = World::with_records("open");
    let late = world
        .issue("open")
        .subject("Valve sticks")
        .field("assigned_to_id", 3)
        .field("start_date", "2026-11-01")
        .field("due_date", "2026-11-02")
        .create();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/").assert_status(200).body;
    let found = positions(&page, &[">Inbox</h2>", ">Overdue</h2>", ">Projects</h2>"]);
    assert!(found.is_sorted(), "{found:?}");
    let (_, inbox) = page.split_once(">Inbox</h2>").unwrap();
    let (inbox, _) = inbox.split_once("</section>").unwrap();
    assert!(
        inbox.contains("Valve sticks") && inbox.contains("assigned to you"),
        "{inbox}"
    );
    assert!(!page.contains("Recently viewed"), "{page}");
    bob.get(&format!("/issues/{late}")).assert_status(200);
    let page = bob.get("/").assert_status(200).body;
    positions(&page, &[">Recently viewed</h2>"]);
    let (_, inbox) = page.split_once(">Inbox</h2>").unwrap();
    let (inbox, _) = inbox.split_once("</section>").unwrap();
    assert!(!inbox.contains("Valve sticks"), "it was read: {inbox}");
    // Nothing waits for others.
    world.set(Setting::LoginRequired, "0");
    for browser in [Browser::new(&world), Browser::logged_in(&world, "dave")] {
        let page = browser.get("/").assert_status(200).body;
        positions(&page, &[">Projects</h2>"]);
        assert!(
            !page.contains(">Inbox</h2>") && !page.contains("Valve"),
            "{page}"
        );
    }
}

#[test]
fn overview_has_the_latest_changes_that_the_viewer_may_see() {
    let world = complete_world();
    let page = Browser::logged_in(&world, "alice")
        .get("/projects/secret")
        .assert_status(200)
        .body;
    let (_, latest) = page.split_once(">Latest changes</h2>").unwrap();
    let (latest, rest) = latest.split_once("</section>").unwrap();
    assert!(latest.contains("/projects/secret/activity"), "{latest}");
    assert!(latest.matches("<li>").count() > 3, "{latest}");
    positions(rest, &[">Issues</h2>", ">Members</h2>"]);
    let hidden = world.issue("secret").subject("whispered").create();
    world.edit(hidden, |issue| issue.private = true);
    let browser = Browser::logged_in(&world, "alice");
    let latest = |browser: &Browser<'_>| browser.get("/projects/secret").assert_status(200).body;
    assert!(latest(&browser).contains("whispered"));
    assert!(!latest(&Browser::logged_in(&world, "bob")).contains("whispered"));
}
