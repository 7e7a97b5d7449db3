//! The palette: the commands that a page offers, and where it leads.

use quarry::domain::access::permission::PermissionSet;
use quarry::store::administration::roles;
use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;
use quarry_world::{DEVELOPER, MANAGER, World};
use scraper::{Html, Selector};

/// Returns the commands of a group, by its title; all of them for an empty title.
fn commands(browser: &Browser<'_>, path: &str, title: &str) -> Vec<String> {
    let page = browser.get(path).assert_status(200);
    let html = Html::parse_document(&page.body);
    let select = |selector: &str| Selector::parse(selector).unwrap();
    let mut found = Vec::new();
    for group in html.select(&select(".commands section")) {
        let heading: String = group.select(&select("h2")).flat_map(|h| h.text()).collect();
        if title.is_empty() || heading == title {
            let labels = select("li span");
            let labels = group.select(&labels);
            let labels: Vec<String> = labels.map(|label| label.text().collect()).collect();
            found.extend(labels);
        }
    }
    found
}

#[test]
fn issue_offers_what_the_viewer_may_do_with_it() {
    let world = complete_world();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/palette?from=/issues/1";
    for command in [
        "Comment",
        "Change status",
        "Log time",
        "Unwatch",
        "Copy",
        "Delete",
    ] {
        let typed = command.replace(' ', "+");
        let offered = commands(&alice, &format!("{path}&q={typed}"), "This page");
        assert!(offered.iter().any(|label| label == command), "{offered:?}");
    }
    let project = commands(&alice, path, "Secret project");
    for command in ["New issue", "Wiki", "Remove the bookmark"] {
        assert!(project.iter().any(|label| label == command), "{project:?}");
    }
    // Every link leads to a page that the viewer may see.
    let page = alice.get(path).assert_status(200);
    let html = Html::parse_document(&page.body);
    let links = Selector::parse(".commands a").unwrap();
    for link in html.select(&links) {
        let target = link.attr("href").unwrap();
        let status = alice.get(target).status;
        assert!([200, 302, 303].contains(&status), "{target}: {status}");
    }
    // Without permissions only reading is left.
    world.write(|db| roles::set_permissions(db, DEVELOPER, PermissionSet::default()));
    world.write(|db| roles::set_permissions(db, MANAGER, PermissionSet::default()));
    assert_eq!(commands(&alice, path, "This page"), [""; 0]);
}

#[test]
fn hidden_pages_offer_as_much_as_missing_ones() {
    let world = complete_world();
    let dave = Browser::logged_in(&world, "dave");
    for (hidden, missing) in [
        ("/issues/1", "/issues/999999"),
        ("/projects/secret/wiki/Wiki", "/projects/nowhere/wiki/Wiki"),
        ("/projects/secret/issues", "/projects/nowhere/issues"),
        ("/versions/1", "/versions/999999"),
    ] {
        let of = |from: &str| commands(&dave, &format!("/palette?from={from}"), "");
        assert_eq!(of(hidden), of(missing), "{hidden}");
    }
    for typed in ["secret", "1", "%231", "pump"] {
        let page = dave.get(&format!("/palette?q={typed}")).assert_status(200);
        assert!(!page.body.contains("Secret project"), "{typed}");
        assert!(!page.body.contains("The pump leaks"), "{typed}");
    }
}

#[test]
fn words_find_projects_issues_and_queries_and_the_last_line_searches() {
    let world = complete_world();
    let alice = Browser::logged_in(&world, "alice");
    let found = |typed: &str, title: &str| {
        commands(&alice, &format!("/palette?from=/issues/1&q={typed}"), title)
    };
    assert_eq!(found("secret", "Projects"), ["Secret project"]);
    assert_eq!(found("1", "Issue"), ["#1 The pump leaks"]);
    assert_eq!(found("%231", "Issue"), ["#1 The pump leaks"]);
    assert_eq!(found("stat+change", "This page"), ["Change status"]);
    // The issue that was viewed is among the recent ones.
    assert_eq!(found("pump", "Recent issues"), [""; 0]);
    alice.get("/issues/1").assert_status(200);
    assert_eq!(found("pump", "Recent issues"), ["#1 The pump leaks"]);
    // A name that was typed in full comes first.
    let all = commands(&alice, "/palette?from=/issues/1&q=secret+PROJECT", "");
    assert_eq!(all[0], "Secret project");
    let nothing = commands(&alice, "/palette?from=/issues/1&q=no+such+%3Cthing%3E", "");
    assert_eq!(nothing, ["Search for “no such <thing>”"]);
    alice
        .get("/palette?from=/issues/1&q=a%26b")
        .assert_contains("/projects/secret/search?q=a%26b")
        .assert_status(200);
}

#[test]
fn lists_lead_to_their_views_with_the_same_filters() {
    let world = complete_world();
    let alice = Browser::logged_in(&world, "alice");
    let list = alice
        .get("/projects/secret/issues?status_id=*&page=2")
        .assert_status(200);
    let html = Html::parse_document(&list.body);
    let link = Selector::parse("a[data-palette]").unwrap();
    let palette = html.select(&link).next().unwrap().attr("href").unwrap();
    alice
        .get(palette)
        .assert_status(200)
        .assert_contains("/projects/secret/issues/board?status_id=*\"")
        .assert_contains("/projects/secret/issues/gantt?status_id=*\"");
}

#[test]
fn no_group_is_longer_than_twenty_commands() {
    let world = World::new();
    for n in 0..30 {
        world.project(&format!("rock-{n}")).create();
    }
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(commands(&alice, "/palette?q=rock", "Projects").len(), 20);
    assert_eq!(commands(&alice, "/palette", "Projects").len(), 6);
}
