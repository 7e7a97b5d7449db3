//! What all pages have in common: security headers, theme, project bar, error pages.

use super::pages;
use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;
use quarry_world::{REPORTER, World};
use regex::Regex;
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn pages_allow_nothing_inline_and_nothing_from_other_hosts() {
    let world = World::with_projects();
    let page = Browser::logged_in(&world, "alice")
        .get("/projects")
        .assert_status(200);
    let policy = page.header("content-security-policy").to_owned();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self';"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
    assert_eq!(page.header("x-frame-options"), "DENY");
    for inline in [" style=", "<style", "onclick=", "javascript:"] {
        assert!(!page.body.contains(inline), "{inline} in {}", page.body);
    }
}

#[test]
fn theme_is_kept_in_a_cookie_and_leads_back_to_a_local_page_only() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/projects").assert_status(200);
    assert!(!page.body.contains("data-theme"));
    let submit = |theme: &str, back: &str| {
        browser
            .submit(&page, "/theme", &[("theme", theme), ("back_url", back)])
            .assert_status(303)
    };
    assert_eq!(
        submit("dark", "/issues?page=2").location(),
        "/issues?page=2"
    );
    browser
        .get("/projects")
        .assert_status(200)
        .assert_contains("data-theme=\"dark\"");
    assert_eq!(submit("auto", "//evil.test").location(), "/");
    assert!(!browser.get("/projects").body.contains("data-theme"));
    assert_eq!(submit("<script>", "/").location(), "/");
}

#[test]
fn project_bar_shows_only_parts_that_the_viewer_may_use() {
    let world = World::new();
    world.project("open").member("alice", REPORTER).create();
    world.sql("DELETE FROM enabled_modules WHERE name = 'news'");
    let page = Browser::logged_in(&world, "alice")
        .get("/projects/open")
        .assert_status(200);
    assert!(
        page.body.contains("href=\"/projects/open/issues\""),
        "{}",
        page.body
    );
    assert!(
        !page.body.contains("href=\"/projects/open/news\""),
        "{}",
        page.body
    );
}

#[test]
fn empty_parts_are_shown_to_those_who_may_fill_them_only() {
    let world = World::with_projects();
    world.sql("DELETE FROM role_permissions WHERE name NOT LIKE 'view_%' AND role_id IN (SELECT id FROM roles WHERE name = 'Reporter')");
    let alice = Browser::logged_in(&world, "alice");
    let carol = Browser::logged_in(&world, "carol");
    let parts = ["News", "Documents", "Wiki", "Forums", "Files"];
    let shown = |browser: &Browser<'_>, page: &str| -> Vec<&str> {
        let body = browser.get(page).assert_status(200).body;
        let has_tab = |part: &&&str| body.contains(&format!(">{part}</a>"));
        parts.iter().filter(has_tab).copied().collect()
    };
    assert_eq!(shown(&alice, "/projects/open"), parts);
    assert_eq!(shown(&carol, "/projects/open"), [""; 0]);
    // Who has an address is told that there is nothing yet.
    assert_eq!(shown(&carol, "/projects/open/news"), ["News"]);
    let news = json!({"news": {"title": "Release", "description": "is out"}});
    world
        .as_user("alice")
        .post("/projects/open/news.json", news)
        .assert_status(201);
    world
        .as_user("alice")
        .put(
            "/projects/open/wiki/Plan.json",
            json!({"wiki_page": {"text": "a"}}),
        )
        .assert_status(201);
    assert_eq!(shown(&carol, "/projects/open"), ["News", "Wiki"]);
}

#[test]
fn errors_are_pages_with_the_frame() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    for (path, status) in [
        ("/nothing-here", 404),
        ("/issues/999999", 404),
        ("/issues?created_on=nonsense", 422),
        ("/issues.yaml", 406),
    ] {
        let page = browser.get(path).assert_status(status);
        assert!(
            status == 406 || page.body.contains("<header class=\"site-header\">"),
            "{path}: {}",
            page.body
        );
    }
    let record = browser.get("/issues/999999").assert_status(404);
    let address = browser.get("/nothing-here").assert_status(404);
    let method = browser
        .submit(&record, "/news", &[("a", "b")])
        .assert_status(404);
    for missing in [record, address, method] {
        assert!(
            missing.body.contains("action=\"/logout\"") && !missing.body.contains(">Log in<"),
            "{missing:?}"
        );
        assert_eq!(missing.header("cache-control"), "no-store");
        browser
            .submit(&missing, "/theme", &[("theme", "dark")])
            .assert_status(303);
    }
    let anonymous = Browser::new(&world).get("/nothing-here").assert_status(404);
    assert!(
        anonymous.body.contains(">Log in<") && !anonymous.body.contains("action=\"/logout\""),
        "{anonymous:?}"
    );
    let key = Browser::with(world.as_user("alice"))
        .get("/nothing-here")
        .assert_status(404);
    assert!(!key.body.contains("action=\"/logout\""), "{key:?}");
}

#[test]
fn window_title_names_the_project_of_the_page() {
    let world = complete_world();
    let browser = Browser::logged_in(&world, "admin");
    let bar = Regex::new("<section class=\"project-bar\".*?<strong><a [^>]*>([^<]*)</a>").unwrap();
    let title = Regex::new("<title>([^<]*)</title>").unwrap();
    let mut pages_of_projects = 0;
    for page in pages::all().filter(|page| !page.redirects) {
        let response = browser.get(page.path);
        let title = &title.captures(&response.body).unwrap()[1];
        if let Some(project) = bar.captures(&response.body) {
            pages_of_projects += 1;
            let parts: Vec<&str> = title
                .split(" – ")
                .flat_map(|part| part.split(" · "))
                .collect();
            let different: BTreeSet<&&str> = parts.iter().collect();
            assert!(title.contains(&project[1]), "{title}: {}", page.path);
            assert_eq!(different.len(), parts.len(), "{title}: {}", page.path);
        }
    }
    assert!(pages_of_projects > 80, "{pages_of_projects}");
}

#[test]
fn form_for_something_new_has_the_focus_in_a_field() {
    let world = complete_world();
    let browser = Browser::logged_in(&world, "admin");
    // There, something is chosen first.
    let choices = [
        "/projects/{id}/memberships/new",
        "/time_entries/new",
        "/custom_fields/new",
    ];
    let new =
        pages::all().filter(|page| page.route.ends_with("/new") && !choices.contains(&page.route));
    let without: Vec<&str> = new
        .map(|page| page.path)
        .filter(|path| !browser.get(path).body.contains(" autofocus"))
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn sidebar_has_bookmarks_and_own_queries_as_long_as_they_are_visible() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let sidebar = |browser: &Browser<'_>| {
        let page = browser.get("/projects").assert_status(200).body;
        let (_, rest) = page.split_once("<nav aria-label=\"Sidebar\">").unwrap();
        rest.split_once("</nav>").unwrap().0.to_owned()
    };
    assert!(!sidebar(&alice).contains("Bookmarks"));
    world.sql("INSERT INTO bookmarks (user_id, project_id) SELECT u.id, p.id FROM users u, projects p WHERE u.login IN ('alice', 'dave') AND p.identifier = 'secret'");
    let query = serde_json::json!({"query": {"name": "Mine"}});
    world
        .as_user("alice")
        .post("/queries.json", query)
        .assert_status(201);
    let own = sidebar(&alice);
    assert!(
        own.contains("href=\"/projects/secret\"") && own.contains("href=\"/issues?query_id=1\""),
        "{own}"
    );
    let others = sidebar(&Browser::logged_in(&world, "dave"));
    assert!(
        !others.contains("secret") && !others.contains("Mine"),
        "{others}"
    );
}
