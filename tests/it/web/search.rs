//! The search page (docs/search.md, docs/pages.md).

use super::browser::Browser;
use super::search_page::SearchPage;
use crate::search::reference::query::{SearchQuery, encoded};
use crate::search::reference::random::Random;
use crate::search::reference::random_world;
use crate::search::world;
use crate::world::{DEVELOPER, Response, World};
use quarry::domain::setting::Setting;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn get(world: &World, login: Option<&str>, path: &str) -> Response {
    login
        .map_or_else(|| world.anonymous(), |login| world.as_user(login))
        .get(path)
}

fn page(world: &World, login: &str, path: &str) -> SearchPage {
    SearchPage::new(&get(world, Some(login), path).assert_status(200))
}

/// Returns the path of a page for an address of the API.
fn page_path(address: &str) -> String {
    address.replace("search.json", "search")
}

/// Returns counts of a facet by name, ignoring case, as the page groups them.
fn named(values: impl Iterator<Item = (String, i64)>) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for (name, count) in values {
        *counts.entry(name.to_lowercase()).or_default() += count;
    }
    counts
}

/// Asserts that a page shows what the API returns for the same address.
fn assert_equals_api(what: &str, page: &SearchPage, json: &Value) {
    assert_eq!(page.total, json["total_count"].as_i64().unwrap(), "{what}");
    let paths: Vec<&str> = json["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            result["url"]
                .as_str()
                .unwrap()
                .trim_start_matches("http://quarry.test")
        })
        .collect();
    assert_eq!(page.paths, paths, "{what}");
    assert_eq!(
        page.did_you_mean.is_some(),
        json["did_you_mean"].is_string(),
        "{what}"
    );
    let labels = [
        ("issues", "Issues"),
        ("news", "News"),
        ("documents", "Documents"),
        ("changesets", "Changesets"),
        ("wiki_pages", "Wiki"),
        ("messages", "Forums"),
        ("projects", "Projects"),
    ];
    for (name, label) in labels {
        let count = json["counts"][name].as_i64().unwrap_or_default();
        if page.total > 0 && count > 0 {
            assert_eq!(page.tabs[label].0, count, "{label}: {what}");
        }
        for (_, shown) in page.headings.iter().filter(|(heading, _)| heading == label) {
            assert_eq!(*shown, count, "{label}: {what}");
        }
    }
    for (name, label) in [
        ("tracker", "Tracker"),
        ("status", "Status"),
        ("author", "Author"),
        ("year", "Year"),
    ] {
        let values = json["facets"][name].as_array().unwrap().iter();
        let counted = named(values.map(|value| {
            (
                value["name"].as_str().unwrap().to_owned(),
                value["count"].as_i64().unwrap(),
            )
        }));
        let shown = page
            .facets
            .get(label)
            .into_iter()
            .flatten()
            .map(|(name, count, _)| (name.clone(), *count));
        assert_eq!(named(shown), counted, "{label}: {what}");
    }
}

#[test]
fn page_equals_the_api_for_every_viewer_and_every_count_is_true() {
    let mut random = Random::new(7);
    let world = random_world::world(&mut random);
    let mut found = 0;
    let mut corrected = 0;
    let mut rejected = 0;
    let mut followed = 0;
    for round in 0..240 {
        let login = random.of(&[
            Some("admin"),
            Some("alice"),
            Some("bob"),
            Some("carol"),
            Some("dave"),
            None,
        ]);
        let query = SearchQuery::random(&mut random);
        let address = query.address(0);
        let what = format!(
            "round {round}: {login:?} asks {:?} at {address}",
            query.typed()
        );
        let api = get(&world, login, &address);
        let html = get(&world, login, &page_path(&address));
        match api.status {
            200 if query.typed().trim().is_empty() => {
                assert!(
                    html.status == 200 && html.body.contains("What you can search for"),
                    "{what}: {html:?}"
                );
                continue;
            }
            200 => {}
            422 => {
                assert!(
                    html.body.contains(if html.status == 200 {
                        "is searched as text"
                    } else {
                        "id=\"q-error\""
                    }),
                    "{what}: {html:?}"
                );
                rejected += 1;
                continue;
            }
            401 | 403 | 404 => {
                let missing = get(&world, login, "/projects/nowhere/search?q=x");
                assert_eq!(html.status, missing.status, "{what}");
                continue;
            }
            status => panic!("{what}: {status}"),
        }
        assert_eq!(html.status, 200, "{what}: {html:?}");
        let shown = SearchPage::new(&html);
        assert_equals_api(&what, &shown, &api.json());
        found += u32::from(shown.total > 0);
        corrected += u32::from(shown.did_you_mean.is_some());
        for (count, path) in shown.counted_links() {
            if random.chance(4) {
                let target = SearchPage::new(&get(&world, login, &path).assert_status(200));
                assert_eq!(target.total, count, "{what}: {path}");
                followed += 1;
            }
        }
    }
    assert!(
        found > 60 && corrected > 3 && rejected > 1 && followed > 200,
        "{found} {corrected} {rejected} {followed}"
    );
}

#[test]
fn titles_of_wiki_pages_have_spaces_on_the_page_and_underscores_in_the_api() {
    let world = world();
    let found = get(&world, Some("dave"), "/search?q=flying").assert_status(200);
    found.assert_contains("<mark>Flying</mark> high</a>");
    let found = get(&world, Some("dave"), "/search.json?q=flying").assert_status(200);
    found.assert_json_path("/results/0/title", "Wiki: Flying_high");
}

#[test]
fn link_to_json_has_the_results_of_the_page() {
    let world = world();
    let path = "/search?q=rocket&sort=date&attachments=1&page=2&limit=3";
    let shown = page(&world, "dave", path);
    assert_eq!(shown.paths.len(), 3);
    let json = world
        .as_user("dave")
        .get(shown.json.as_deref().unwrap())
        .assert_status(200)
        .json();
    assert_equals_api(path, &shown, &json);
    world.set(Setting::RestApiEnabled, "0");
    let browser = Browser::logged_in(&world, "dave");
    assert_eq!(
        SearchPage::new(&browser.get(path).assert_status(200)).json,
        None
    );
}

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
        "<option value=\"0\" selected>any word",
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
            html.contains(&format!("<option value=\"{expected}\" selected>a")),
            "{all_words}: {html}"
        );
    }
}

#[test]
fn results_are_grouped_in_the_order_of_their_best_hit() {
    let world = world();
    let json = world
        .as_user("dave")
        .get("/search.json?q=rocket")
        .assert_status(200)
        .json();
    let shown = page(&world, "dave", "/search?q=rocket");
    assert_equals_api_without_facets(&shown, &json);
    assert_eq!(shown.headings.len(), 6);
    let total: i64 = shown.headings.iter().map(|(_, count)| count).sum();
    assert_eq!(total, shown.total);
    assert!(
        page(&world, "dave", "/search?q=rocket&sort=date")
            .headings
            .is_empty()
    );
}

fn assert_equals_api_without_facets(page: &SearchPage, json: &Value) {
    let urls = json["results"].as_array().unwrap().iter().map(|result| {
        result["url"]
            .as_str()
            .unwrap()
            .trim_start_matches("http://quarry.test")
    });
    assert_eq!(page.paths, urls.collect::<Vec<_>>());
}

#[test]
fn each_result_shows_what_it_is() {
    let world = world();
    let html = world
        .as_user("dave")
        .get("/search?q=tank+leaks")
        .assert_status(200)
        .body;
    for shown in [
        "icons.",
        "#open\"",
        "Open issue: </span><a href=\"/issues/1\">Rocket <mark>leaks</mark></a> <span class=\"number\">#1</span>",
        "<span>open</span><span>Bug · New</span><time datetime=\"2026-11-20T12:00:00Z\"",
        "<span>alice Tester</span>",
        "The <mark>tank</mark> drips fuel",
    ] {
        assert!(html.contains(shown), "{shown} in {html}");
    }
    let html = world
        .as_user("dave")
        .get("/search?q=launch&changesets=1")
        .assert_status(200)
        .body;
    assert!(
        html.contains("<span class=\"number\">abc12300</span>") && html.contains("<span>a</span>"),
        "{html}"
    );
}

#[test]
fn page_size_is_a_setting() {
    let world = World::new();
    world.project("open").member("alice", DEVELOPER).create();
    for number in 0..12 {
        world
            .issue("open")
            .subject(&format!("pump {number}"))
            .create();
    }
    assert_eq!(page(&world, "alice", "/search?q=pump").paths.len(), 10);
    assert_eq!(
        page(&world, "alice", "/search?q=pump&page=2").paths.len(),
        2
    );
    world.set(Setting::SearchResultsPerPage, "5");
    let last = page(&world, "alice", "/search?q=pump&page=3");
    assert_eq!((last.paths.len(), last.total), (2, 12));
    let html = world
        .as_user("alice")
        .get("/search?q=pump&page=3")
        .assert_status(200)
        .body;
    assert!(
        html.contains("aria-current=\"page\">3</b>")
            && html.contains("href=\"/search?q=pump&#38;page=2\""),
        "{html}"
    );
    // Past the end, and past the largest offset.
    let past = world
        .as_user("alice")
        .get("/search?q=pump&page=9")
        .assert_status(200);
    assert!(past.body.contains("no results on this page"), "{past:?}");
    world
        .as_user("alice")
        .get("/search?q=pump&page=999999999")
        .assert_status(422)
        .assert_contains("offset must be at most");
}

#[test]
fn number_leads_to_the_issue_only_if_it_is_visible() {
    let world = world();
    for query in ["1", "%231"] {
        assert_eq!(
            world
                .as_user("dave")
                .get(&format!("/search?q={query}"))
                .assert_status(302)
                .location(),
            "/issues/1"
        );
    }
    let hidden = world
        .as_user("dave")
        .get("/search?q=2")
        .assert_status(200)
        .body;
    let missing = world
        .as_user("dave")
        .get("/search?q=7")
        .assert_status(200)
        .body;
    let plain = |html: &str, number: &str| {
        let main = html
            .split_once("<main")
            .unwrap()
            .1
            .split_once("<footer>")
            .unwrap()
            .0
            .to_owned();
        main.replace(&format!("“{number}”"), "“N”")
            .replace(&format!("value=\"{number}\""), "value=\"N\"")
            .replace(&format!("q={number}"), "q=N")
    };
    assert_eq!(plain(&hidden, "2"), plain(&missing, "7"));
    assert_eq!(
        world
            .as_user("alice")
            .get("/search?q=2")
            .assert_status(302)
            .location(),
        "/issues/2"
    );
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
fn hidden_project_looks_like_a_missing_one() {
    let world = world();
    world.set(Setting::LoginRequired, "0");
    let dave = Browser::logged_in(&world, "dave");
    let stranger = Browser::new(&world);
    for hidden in [
        "/projects/secret/search?q=rocket",
        "/search?id=secret&q=rocket",
    ] {
        let missing = hidden.replace("secret", "nowhere");
        dave.get(hidden).assert_status(404);
        dave.get(&missing).assert_status(404);
        assert_eq!(
            stranger.get(hidden).status,
            stranger.get(&missing).status,
            "{hidden}"
        );
    }
    let page = stranger.get("/search?q=rocket").assert_status(200);
    assert!(
        !page.body.contains("secret")
            && !page.body.contains("Hidden")
            && !page.body.contains("My bookmarks"),
        "{page:?}"
    );
    assert_eq!(SearchPage::new(&page).total, 7);
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
            encoded(query)
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

#[test]
fn authors_are_searched_by_name_without_telling_their_login() {
    let world = world();
    let html = world
        .as_user("dave")
        .get("/search?q=rocket&issues=1")
        .assert_status(200)
        .body;
    assert!(
        html.contains("author%3A%22alice%20Tester%22") && !html.contains("author%3Aalice"),
        "{html}"
    );
    assert_eq!(
        page(
            &world,
            "dave",
            "/search?q=author:%22ALICE+tester%22&issues=1"
        )
        .total,
        1
    );
    assert_eq!(
        page(&world, "dave", "/search?q=author:%22Nobody+Known%22").total,
        0
    );
}

#[test]
fn suggestions_work_with_the_session_while_the_api_is_off() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    world.set(Setting::RestApiEnabled, "0");
    let suggested = |browser: &Browser<'_>| {
        let json = browser
            .get_json("/search/suggest?q=rocket&scope=all&all_words=1&attachments=0")
            .assert_status(200)
            .json();
        json["results"].as_array().unwrap().len()
    };
    assert_eq!(suggested(&browser), 6);
    assert_eq!(suggested(&Browser::logged_in(&world, "dave")), 5);
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

#[test]
fn search_limited_to_a_project_has_its_tabs_and_scope() {
    let world = world();
    let child = json!({"project": {"name": "Child", "identifier": "child", "parent_id": 1}});
    world
        .as_user("admin")
        .post("/projects.json", child)
        .assert_status(201);
    world.issue("child").subject("child rocket").create();
    let of = |query: &str| {
        page(
            &world,
            "admin",
            &format!("/projects/open/search?q=rocket{query}"),
        )
    };
    let alone = of("");
    let below = of("&scope=subprojects");
    assert_eq!(below.total, alone.total + 1);
    assert!(!alone.tabs.contains_key("Projects"));
    let facet = |page: &SearchPage| {
        page.facets["Project"]
            .iter()
            .map(|(name, count, _)| (name.clone(), *count))
            .collect::<BTreeMap<_, _>>()
    };
    // `project:` includes subprojects, and so does its count.
    assert_eq!(
        facet(&below),
        BTreeMap::from([("open".to_owned(), below.total), ("Child".to_owned(), 1)])
    );
}
