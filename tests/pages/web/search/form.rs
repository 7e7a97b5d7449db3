//! The form of the search page: its state, its chips, corrections and messages.

use super::page;
use super::page::SearchPage;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::search::world;
use quarry_world::{DEVELOPER, World, percent_encode};
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn form_keeps_its_state() {
    let world = world();
    let query = "scope=subprojects&issues=1&wiki_pages=1&all_words=0&titles_only=1&open_issues=1&attachments=only&sort=date&limit=5";
    let html = world
        .as_user("dave")
        .get(&format!("/projects/open/search?q=%22a+rocket%22&{query}"))
        .assert_status(200)
        .body;
    for kept in [
        "name=\"q\" value=\"&#34;a rocket&#34;\"",
        "<option value=\"subprojects\" selected>",
        "name=\"issues\" value=\"1\" checked",
        "name=\"wiki_pages\" value=\"1\" checked",
        "<option value=\"0\" selected>Any",
        "name=\"titles_only\" value=\"1\" checked",
        "name=\"open_issues\" value=\"1\" checked",
        "<option value=\"only\" selected>",
        "<option value=\"date\" selected>",
        "name=\"limit\" value=\"5\"",
        "action=\"/projects/open/search\"",
    ] {
        assert!(html.contains(kept), "{kept} in {html}");
    }
    assert!(
        !html.contains("name=\"news\" value=\"1\" checked"),
        "{html}"
    );
    // As Redmine's form sends it, and repeated as a hidden field and a checkbox send it.
    for (all_words, expected) in [("all_words=", "0"), ("all_words=0&all_words=1", "1")] {
        let html = world
            .as_user("dave")
            .get(&format!("/search?q=rocket&{all_words}"))
            .assert_status(200)
            .body;
        assert!(
            html.contains(&format!("<option value=\"{expected}\" selected>A")),
            "{all_words}: {html}"
        );
    }
}

#[test]
fn qualifiers_are_chips_that_can_be_removed() {
    let world = world();
    let shown = page(&world, "dave", "/search?q=rocket+is:open+project:open");
    assert_eq!(
        shown.chips,
        [
            "/search?q=rocket%20project%3Aopen",
            "/search?q=rocket%20is%3Aopen"
        ]
    );
    // A facet in use leads to the search without it.
    let (name, _, path) = &shown.facets["Project"][0];
    assert_eq!(
        (name.as_str(), path.as_deref()),
        ("open", Some("/search?q=rocket%20is%3Aopen"))
    );
}

#[test]
fn misspelled_word_is_corrected_and_marked() {
    let world = world();
    let response = world
        .as_user("dave")
        .get("/search?q=rocekt+is:open")
        .assert_status(200);
    assert_eq!(
        SearchPage::new(&response).did_you_mean.as_deref(),
        Some("/search?q=rocket%20is%3Aopen")
    );
    assert!(
        response.body.contains("<mark>rocket</mark> is:open</a>"),
        "{response:?}"
    );
    // A word of hidden records alone is no correction.
    assert_eq!(
        page(&world, "dave", "/search?q=kriptonite").did_you_mean,
        None
    );
    assert!(
        page(&world, "alice", "/search?q=kriptonite")
            .did_you_mean
            .is_some()
    );
}

#[test]
fn invalid_parameter_keeps_the_query_with_its_message() {
    let world = world();
    world
        .as_user("dave")
        .get("/search?q=rocket&sort=size")
        .assert_status(422)
        .assert_contains("sort must be relevance or date");
    let long = "x".repeat(9000);
    world
        .as_user("dave")
        .get(&format!("/search?q={long}"))
        .assert_status(422)
        .assert_contains("too long");
    // Copies of a query without each of its thousands of qualifiers would occupy hundreds of
    // megabytes.
    let page = world
        .as_user("dave")
        .get(&format!("/search?q={}", "is:open+".repeat(4_000)))
        .assert_status(422)
        .assert_contains("too long");
    assert!(
        !page.body.contains("Qualifiers of the query"),
        "{} bytes",
        page.body.len()
    );
}

#[test]
fn empty_query_shows_what_to_try() {
    let world = world();
    for path in [
        "/search",
        "/search?q=",
        "/search?q=+",
        "/projects/open/search",
    ] {
        let page = world
            .as_user("dave")
            .get(path)
            .assert_status(200)
            .assert_contains("What you can search for");
        assert!(page.body.contains("assignee:me"), "{page:?}");
    }
    world.set(Setting::LoginRequired, "0");
    let page = world.anonymous().get("/search").assert_status(200);
    assert!(
        !page.body.contains("assignee:me\"") && !page.body.contains("author:me&"),
        "{page:?}"
    );
}

#[test]
fn hostile_queries_and_names_are_escaped() {
    let world = World::new();
    world.project("open").member("alice", DEVELOPER).create();
    world
        .issue("open")
        .subject("pump <script>alert(1)</script> \"quoted\"")
        .description("<img src=x onerror=alert(1)> pump")
        .create();
    world.sql("UPDATE issue_statuses SET name = 'New \"<b>\"'; UPDATE trackers SET name = '<script>alert(2)</script>'");
    world.sql("UPDATE projects SET name = '<img src=y>'");
    for query in [
        "pump",
        "<script>alert(1)</script>",
        "\"><script>alert(1)</script>",
        "zzzz<img src=x>",
        "is:<script>",
    ] {
        let page = world.as_user("alice").get(&format!(
            "/search?q={}&scope=%22%3E%3Cscript%3E",
            percent_encode(query)
        ));
        assert!([200, 422].contains(&page.status), "{page:?}");
        for harm in ["<script>", "<img src", "<b>\"", "javascript:"] {
            assert!(
                !page.body.contains(harm),
                "{harm} for {query}: {}",
                page.body
            );
        }
    }
    // A name that the query language cannot express has no link.
    let shown = page(&world, "alice", "/search?q=pump");
    assert_eq!(
        shown.facets["Status"],
        [("New \"<b>\"".to_owned(), 1, None)]
    );
    assert!(shown.facets["Tracker"][0].2.is_some());
}

fn count_suggestions(browser: &Browser<'_>) -> usize {
    let json = browser
        .get_json("/search/suggest?q=rocket&scope=all&all_words=1&attachments=0")
        .assert_status(200)
        .json();
    json["results"].as_array().unwrap().len()
}

#[test]
fn suggestions_work_with_the_session_while_the_api_is_off() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    world.set(Setting::RestApiEnabled, "0");
    assert_eq!(count_suggestions(&browser), 6);
    assert_eq!(count_suggestions(&Browser::logged_in(&world, "dave")), 5);
    browser
        .get("/search?q=rocket")
        .assert_status(200)
        .assert_contains("data-suggest=\"/search/suggest\"");
    browser.get_json("/search.json?q=rocket").assert_status(401);
    world
        .as_user("alice")
        .get("/search/suggest.json?q=rocket")
        .assert_status(401);
    Browser::new(&world)
        .get_json("/search/suggest?q=rocket")
        .assert_status(401);
}

fn search_open(world: &World, query: &str) -> SearchPage {
    page(
        world,
        "admin",
        &format!("/projects/open/search?q=rocket{query}"),
    )
}

fn counts_by_project(page: &SearchPage) -> BTreeMap<String, i64> {
    page.facets["Project"]
        .iter()
        .map(|(name, count, _)| (name.clone(), *count))
        .collect::<BTreeMap<_, _>>()
}

#[test]
fn search_limited_to_a_project_has_its_tabs_and_scope() {
    let world = world();
    let child = json!({"project": {"name": "Child", "identifier": "child", "parent_id": 1}});
    world
        .as_user("admin")
        .post("/projects.json", child)
        .assert_status(201);
    world.issue("child").subject("child rocket").create();
    let alone = search_open(&world, "");
    let below = search_open(&world, "&scope=subprojects");
    assert_eq!(below.total, alone.total + 1);
    assert!(!alone.tabs.contains_key("Projects"));
    // `project:` includes subprojects, and so does its count.
    assert_eq!(
        counts_by_project(&below),
        BTreeMap::from([("open".to_owned(), below.total), ("Child".to_owned(), 1)])
    );
}
