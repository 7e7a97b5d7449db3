//! Pages of long queries: they do not repeat the query in each link.

use super::{get, page};
use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, Response, World, percent_encode};

/// Maximum size of a page in bytes.
const MAX_PAGE: usize = 100_000;

/// Many issues with many words in many projects, so that there are facets and further pages.
fn world() -> World {
    let world = World::new();
    for project in ["one", "two", "three", "four", "five", "six", "seven"] {
        world.project(project).member("alice", DEVELOPER).create();
        for number in 0..4 {
            let subject = format!("pump {number}");
            world.issue(project).subject(&subject).create();
        }
    }
    world
}

/// Returns a query of the maximum length that finds every issue.
fn longest(word: &str) -> String {
    let mut query = "pump".to_owned();
    while query.chars().count() + 1 + word.chars().count() <= 8_000 {
        query.push(' ');
        query.push_str(word);
    }
    query
}

fn search(world: &World, query: &str, options: &str) -> Response {
    let path = format!("/search?q={}{options}", percent_encode(query));
    get(world, Some("alice"), &path).assert_status(200)
}

#[test]
fn page_of_the_longest_query_is_bounded() {
    let world = world();
    for word in ["leaks", "\"a&b\"", "протечка"] {
        let query = longest(word);
        let found = search(&world, &query, "&all_words=0");
        assert!(found.body.len() < MAX_PAGE, "{word}: {}", found.body.len());
        found
            .assert_contains("<div class=\"tabs-row\">")
            .assert_contains("name=\"page\" value=\"2\"")
            .assert_contains("formaction=\"/search.atom\"")
            .assert_contains("formaction=\"/search.json\"")
            .assert_contains("name=\"type\" value=\"SearchQuery\"")
            .assert_contains("Add a qualifier such as <code>status:New</code>");
        let path = format!("/search?q={}", percent_encode(&query));
        let all = get(&world, Some("alice"), &path);
        assert!(all.body.len() < MAX_PAGE, "{word}: {}", all.body.len());
        if all.status == 422 {
            all.assert_contains("form=\"search\" name=\"all_words\" value=\"0\"");
        }
    }
    let nothing = search(
        &world,
        &longest("xyzzy").replacen("pump", "xyz", 1),
        "&all_words=0&topic=99",
    );
    assert!(nothing.body.len() < MAX_PAGE, "{}", nothing.body.len());
    nothing.assert_contains("Nothing found</h2>");
}

#[test]
fn buttons_of_a_long_query_lead_to_its_other_pages() {
    let world = world();
    let query = longest("leaks");
    let first = page(
        &world,
        "alice",
        &format!("/search?q={}&all_words=0", percent_encode(&query)),
    );
    assert_eq!((first.total, first.paths.len()), (28, 10));
    // As the form sends it, with the button at its end.
    let sent = "&scope=all&all_words=0&sort=&attachments=0&page=3";
    let last = page(
        &world,
        "alice",
        &format!("/search?q={}{sent}", percent_encode(&query)),
    );
    assert_eq!(last.paths.len(), 8);
    let path = format!(
        "/search?q={}&all_words=1&attachments=0&all_words=0",
        percent_encode(&query)
    );
    assert_eq!(page(&world, "alice", &path).total, 28);
}

#[test]
fn long_query_can_be_saved_with_the_button() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let query = longest("leaks");
    let sent = format!(
        "q={}&scope=all&all_words=0&sort=&attachments=0&type=SearchQuery",
        percent_encode(&query)
    );
    let form = alice
        .get(&format!("/queries/new?{sent}"))
        .assert_status(200);
    let saved = alice
        .submit(
            &form,
            &format!("/queries?{sent}"),
            &[("query[name]", "Long")],
        )
        .assert_status(303);
    let start = alice.get(saved.location()).assert_status(302);
    let found = alice.get(start.location()).assert_status(200);
    assert!(found.body.len() < MAX_PAGE, "{}", found.body.len());
    found.assert_contains("<b>Saved search</b> Long");
    let other = longest("протечка");
    let path = format!(
        "/search?q={}&all_words=0&query_id=1",
        percent_encode(&other)
    );
    let page = alice.get(&path).assert_status(200);
    assert!(page.body.len() < MAX_PAGE, "{}", page.body.len());
    let fields = [("q", other.as_str()), ("all_words", "0")];
    alice
        .submit(&page, "/queries/1", &fields)
        .assert_status(303);
    let start = alice.get("/search?query_id=1").assert_status(302);
    assert!(
        start
            .location()
            .ends_with("%BA%D0%B0&all_words=0&query_id=1")
    );
    let list = alice.get("/search").assert_status(200);
    assert!(list.body.len() < 30_000, "{}", list.body.len());
}
