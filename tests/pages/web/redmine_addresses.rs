//! Redirects of Redmine URLs whose page has another address, and what crawlers leave out.

use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;

#[test]
fn redmine_url_whose_page_has_another_address_redirects_to_it() {
    let world = complete_world();
    let browser = Browser::logged_in(&world, "alice");
    for (address, page) in [
        ("/projects/secret/boards/1", "/boards/1"),
        (
            "/projects/secret/issues/report",
            "/projects/secret/issues?group_by=tracker",
        ),
        (
            "/projects/secret/issues/report/assigned_to",
            "/projects/secret/issues?group_by=assigned_to",
        ),
        ("/issues/1/relations", "/issues/1#relations"),
        ("/issues/1.pdf", "/issues/1"),
        (
            "/projects/secret/wiki/Wiki.pdf",
            "/projects/secret/wiki/Wiki",
        ),
    ] {
        let response = browser.get(address).assert_status(302);
        assert_eq!(response.location(), page);
        browser.get(page).assert_status(200);
    }
    browser
        .get("/projects/secret/issues/report/nothing")
        .assert_status(404);
    browser.get("/issues/x.pdf").assert_status(406);
    let file = browser.get("/attachments/1/notes.txt").assert_status(200);
    assert_eq!(file.content_type(), "text/html; charset=utf-8");
    Browser::new(&world)
        .get("/attachments/1/notes.txt")
        .assert_status(302);
}

#[test]
fn crawlers_leave_out_exports_and_orders_of_lists() {
    let world = complete_world();
    let anonymous = Browser::new(&world);
    let robots = anonymous.get("/robots.txt").assert_status(200);
    assert_eq!(robots.content_type(), "text/plain; charset=utf-8");
    assert!(robots.body.contains("Disallow: /*.csv\n"), "{robots:?}");
    let list = Browser::logged_in(&world, "alice")
        .get("/issues")
        .assert_status(200);
    for address in ["/issues.csv", "/issues.atom", "?sort="] {
        let links = list.body.matches(&format!("href=\"{address}")).count();
        let followed = list.body.matches(&format!("<a href=\"{address}")).count();
        assert!(links > 0 && followed == 0, "{address}: {}", list.body);
    }
}
