//! The search page (docs/search.md, docs/pages.md).

mod alternatives;
mod choices;
mod completions;
mod feed;
mod form;
mod long;
mod mistakes;
mod page;
mod partial;
mod people;
mod rows;
mod saved;
mod saved_rights;
mod topics;

use self::page::SearchPage;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::search::query::SearchQuery;
use quarry_world::search::random::Random;
use quarry_world::search::random_world;
use quarry_world::search::world;
use quarry_world::{DEVELOPER, Response, World};
use serde_json::Value;
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
    assert_eq!(page.paths, one_of_each_topic(&paths), "{what}");
    assert_eq!(
        page.did_you_mean.is_some(),
        json["did_you_mean"].is_string(),
        "{what}"
    );
    let labels = [
        ("issues", "Issues"),
        ("news", "News"),
        ("documents", "Documents"),
        ("changesets", "Commits"),
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
        // A facet in use counts what its values add.
        let shown = page.facets.get(label);
        if shown.into_iter().flatten().any(|(_, _, path)| {
            path.as_ref()
                .is_some_and(|path| page.selected.contains(path) || page.additions.contains(path))
        }) {
            continue;
        }
        let shown = shown
            .into_iter()
            .flatten()
            .map(|(name, count, _)| (name.clone(), *count));
        assert_eq!(named(shown), counted, "{label}: {what}");
    }
}

/// Returns the first path of each topic.
fn one_of_each_topic(paths: &[&str]) -> Vec<String> {
    let topic = |path: &str| {
        let is_message = path.starts_with("/boards/");
        is_message.then(|| path.split(['?', '#']).next().unwrap().to_owned())
    };
    let mut seen = Vec::new();
    let mut kept = Vec::new();
    for path in paths {
        match topic(path) {
            Some(topic) if seen.contains(&topic) => continue,
            Some(topic) => seen.push(topic),
            None => {}
        }
        kept.push((*path).to_owned());
    }
    kept
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
    assert_eq!(page.paths, one_of_each_topic(&urls.collect::<Vec<_>>()));
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
        "Open issue: </span> <a href=\"/issues/1\">Rocket <mark>leaks</mark></a> <span class=\"number\">#1</span>",
        "<span class=\"state\">New</span> <span>open</span> <span>Bug</span> <span>by alice Tester</span>",
        "<span>updated <time datetime=\"2026-11-20T12:00:00Z\"",
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
        html.contains("<span class=\"number\">abc12300</span>")
            && html.contains("<span>by a</span>"),
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

fn without_number(html: &str, number: &str) -> String {
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
    assert_eq!(without_number(&hidden, "2"), without_number(&missing, "7"));
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
