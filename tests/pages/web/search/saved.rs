//! Saved searches: saving, using, changing and deleting them.

use quarry::domain::ids::QueryId;
use quarry::domain::query::saved::QueryKind;
use quarry::store::lists::queries;
use quarry_world::browser::Browser;
use quarry_world::search::world;
use quarry_world::{World, percent_encode};

const ROCKETS: &str = "q=rocket&open_issues=1&sort=date";

/// Saves a search and returns the address to which that leads.
pub fn save(browser: &Browser<'_>, path: &str, fields: &[(&str, &str)]) -> String {
    let page = browser.get("/search?q=rocket").assert_status(200);
    let saved = browser.submit(&page, path, fields).assert_status(303);
    saved.location().to_owned()
}

/// Returns the parameters of a saved search.
fn stored(world: &World, id: i64) -> Vec<(String, String)> {
    let query = world
        .app
        .read(|db| queries::find(db, QueryKind::Searches, QueryId(id)))
        .unwrap()
        .unwrap();
    let parameters = query.filters.unwrap().into_iter();
    parameters
        .map(|parameter| (parameter.name, parameter.values.join("|")))
        .collect()
}

#[test]
fn search_can_be_saved_used_changed_and_deleted() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get(&format!("/search?{ROCKETS}&limit=5"))
        .assert_status(200);
    page.assert_contains(
        "href=\"/queries/new?q=rocket&#38;open_issues=1&#38;sort=date&#38;type=SearchQuery\" data-popover>Save search",
    );
    let form = bob
        .get(&format!("/queries/new?{ROCKETS}&type=SearchQuery"))
        .assert_status(200)
        .assert_contains("<h1>Save this search</h1>")
        .assert_contains("“rocket” is kept with its options.")
        .assert_contains(&format!(
            "action=\"/queries?{}&#38;type=SearchQuery\"",
            ROCKETS.replace('&', "&#38;")
        ));
    assert!(!form.body.contains("everybody"), "bob may not share");
    let saved = bob
        .submit(
            &form,
            &format!("/queries?{ROCKETS}&type=SearchQuery"),
            &[
                ("query[name]", "Hot <b>"),
                ("query[description]", "what flies"),
            ],
        )
        .assert_status(303);
    assert_eq!(saved.location(), "/search?query_id=1");
    let expected = [("q", "rocket"), ("open_issues", "1"), ("sort", "date")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(stored(&world, 1), expected);
    // It leads to what it says.
    let start = bob.get("/search?query_id=1").assert_status(302);
    assert_eq!(start.location(), format!("/search?{ROCKETS}&query_id=1"));
    let page = bob.get(start.location()).assert_status(200);
    let page = page
        .assert_contains("The search Hot &#60;b&#62; was saved.")
        .assert_contains("<b>Saved search</b> Hot &#60;b&#62;")
        .assert_contains("name=\"query_id\" value=\"1\"")
        .assert_contains("href=\"/queries/1/edit\"")
        .assert_contains("href=\"/search.atom?query_id=1\">Atom");
    assert!(!page.body.contains("Save search") && !page.body.contains(">Update<"));
    // Another search that comes from it.
    let changed = bob
        .get("/search?q=rocket&news=1&query_id=1")
        .assert_status(200)
        .assert_contains(">changed<")
        .assert_contains("Save search")
        .assert_contains("action=\"/queries/1\"")
        .assert_contains("type=\"hidden\" name=\"news\" value=\"1\"");
    let updated = bob
        .submit(&changed, "/queries/1", &[("q", "rocket"), ("news", "1")])
        .assert_status(303);
    assert_eq!(updated.location(), "/search?query_id=1");
    let start = bob.get(updated.location()).assert_status(302);
    assert_eq!(start.location(), "/search?q=rocket&news=1&query_id=1");
    bob.get(start.location())
        .assert_contains("The search Hot &#60;b&#62; was updated.");
    // The start page.
    bob.get("/search")
        .assert_status(200)
        .assert_contains("<a href=\"/search?query_id=1\"><b>Hot &#60;b&#62;</b></a>")
        .assert_contains("<code>rocket</code>")
        .assert_contains("what flies")
        .assert_contains("href=\"/search.atom?query_id=1\">Feed");
    let edit = bob
        .get("/queries/1/edit")
        .assert_status(200)
        .assert_contains("Search Hot &#60;b&#62;</h1>");
    let renamed = bob
        .submit(&edit, "/queries/1/edit", &[("query[name]", "News")])
        .assert_status(303);
    assert_eq!(renamed.location(), "/search?query_id=1");
    let confirm = bob
        .get("/queries/1/delete")
        .assert_status(200)
        .assert_contains("Delete the search News?");
    let deleted = bob
        .submit(&confirm, "/queries/1/delete", &[])
        .assert_status(303);
    assert_eq!(deleted.location(), "/search");
    let page = bob.get("/search").assert_status(200);
    let page = page.assert_contains("The search News was deleted.");
    assert!(!page.body.contains("Saved searches"));
    for gone in [
        "/search?query_id=1",
        "/search?q=rocket&query_id=1",
        "/search.atom?query_id=1",
    ] {
        bob.get(gone).assert_status(404);
    }
}

#[test]
fn every_option_of_a_search_is_kept() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let all = "q=%22a%20%26%20b%22%20OR%20%D1%84&scope=my_projects&issues=1&wiki_pages=1&all_words=0&partial=0&titles_only=1&open_issues=1&attachments=only&topic=3&sort=relevance";
    let place = save(
        &bob,
        &format!("/queries?{all}&type=SearchQuery&limit=7&page=2"),
        &[("query[name]", "All")],
    );
    let start = bob.get(&place).assert_status(302);
    assert_eq!(start.location(), format!("/search?{all}&query_id=1"));
}

#[test]
fn search_of_a_project_is_found_in_it_and_among_all() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let place = save(
        &bob,
        "/projects/open/queries?q=rocket&scope=subprojects&type=SearchQuery",
        &[("query[name]", "Here")],
    );
    assert_eq!(place, "/projects/open/search?query_id=1");
    save(
        &bob,
        "/queries?q=tank&type=SearchQuery",
        &[("query[name]", "Everywhere")],
    );
    let start = bob.get(&place).assert_status(302);
    assert_eq!(
        start.location(),
        "/projects/open/search?q=rocket&scope=subprojects&query_id=1"
    );
    // From another page, it leads to its own.
    for path in ["/search?query_id=1", "/search?q=other&query_id=1"] {
        assert_eq!(
            bob.get(path).assert_status(302).location(),
            start.location()
        );
    }
    bob.get("/search")
        .assert_contains("<a href=\"/projects/open/search?query_id=1\"><b>Here</b></a>")
        .assert_contains("in open</span>")
        .assert_contains("<b>Everywhere</b>");
    let there = bob.get("/projects/open/search").assert_status(200);
    // One for all projects can be used in each.
    there
        .assert_contains("<b>Here</b>")
        .assert_contains("for all projects</span>")
        .assert_contains("<a href=\"/projects/open/search?query_id=2\"><b>Everywhere</b></a>");
    let start = bob
        .get("/projects/open/search?query_id=2")
        .assert_status(302);
    assert_eq!(start.location(), "/projects/open/search?q=tank&query_id=2");
    world
        .project("other")
        .member("bob", quarry_world::DEVELOPER)
        .create();
    bob.get("/projects/other/search?query_id=1")
        .assert_status(404);
    let other = bob.get("/projects/other/search").assert_status(200);
    assert!(!other.body.contains("<b>Here</b>"));
}

#[test]
fn saving_tells_what_is_wrong_and_keeps_what_was_typed() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/search?q=rocket").assert_status(200);
    let path = "/queries?q=rocket&type=SearchQuery";
    let long = "x".repeat(256);
    for (name, message) in [
        (" ", "Name cannot be blank"),
        (long.as_str(), "Name is too long"),
    ] {
        bob.submit(
            &page,
            path,
            &[("query[name]", name), ("query[description]", "typed")],
        )
        .assert_status(422)
        .assert_contains(message)
        .assert_contains("action=\"/queries?q=rocket&#38;type=SearchQuery\"")
        .assert_contains("value=\"typed\"");
    }
    let words = percent_encode(&"y".repeat(8_001));
    for (query, message) in [
        ("", "Search cannot be blank"),
        ("q=%20", "Search cannot be blank"),
        (
            &format!("q={words}"),
            "Search is too long (maximum is 8000 characters)",
        ),
    ] {
        bob.submit(
            &page,
            &format!("/queries?{query}&type=SearchQuery"),
            &[("query[name]", "x")],
        )
        .assert_status(422)
        .assert_contains(message);
    }
    bob.submit(
        &page,
        path,
        &[("query[name]", "x"), ("query[visibility]", "public")],
    )
    .assert_status(422)
    .assert_contains("only administrators share queries for all projects");
    bob.submit(
        &page,
        path,
        &[("query[name]", "x"), ("query[visibility]", "nonsense")],
    )
    .assert_status(422);
    // Invalid options count as the defaults, as on the page.
    let place = save(
        &bob,
        "/queries?q=a%00%1bb&sort=size&scope=%0a&attachments=9&topic=x&type=SearchQuery",
        &[("query[name]", "Odd")],
    );
    let start = bob.get(&place).assert_status(302);
    assert_eq!(start.location(), "/search?q=a%00%1Bb&query_id=1");
    bob.get(start.location()).assert_status(200);
    bob.get("/search")
        .assert_status(200)
        .assert_contains("<b>Odd</b>");
}

#[test]
fn start_page_has_all_own_searches_and_five_hundred_of_others() {
    let world = world();
    world.sql(
        "INSERT INTO queries (type, name, user_id, visibility, filters_json) \
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200) \
         SELECT 'SearchQuery', 'search ' || substr('000' || n, length(CAST(n AS TEXT))), 3 - n % 2, 2, '{\"q\":{\"operator\":\"=\",\"values\":[\"rocket\"]}}' FROM numbers",
    );
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/search").assert_status(200);
    assert_eq!(page.body.matches("href=\"/search?query_id=").count(), 1100);
    assert_eq!(page.body.matches("shared</span>").count(), 500);
    page.assert_contains("<summary>1092 more</summary>");
    // A row that no search can have stored.
    world.sql("INSERT INTO queries (id, type, name, visibility, filters_json) VALUES (9000, 'SearchQuery', 'a', 2, 'nonsense'), (9001, 'SearchQuery', 'b', 2, '[1]'), \
               (9002, 'SearchQuery', 'c', 2, '{\"q\":[],\"sort\":{\"values\":[[1]]}}'), (9003, 'SearchQuery', 'd', 2, NULL)");
    bob.get("/search").assert_status(200);
    for id in 9000..9004 {
        let start = bob
            .get(&format!("/search?query_id={id}"))
            .assert_status(302);
        assert_eq!(start.location(), format!("/search?q=&query_id={id}"));
        bob.get(start.location()).assert_status(200);
        bob.get(&format!("/queries/{id}/edit")).assert_status(403);
    }
}

#[test]
fn feed_follows_the_saved_search() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    save(
        &bob,
        "/queries?q=rocket&news=1&type=SearchQuery",
        &[("query[name]", "Flying")],
    );
    let start = bob.get("/search.atom?query_id=1").assert_status(302);
    assert_eq!(start.location(), "/search.atom?q=rocket&news=1&query_id=1");
    let feed = bob
        .get(start.location())
        .assert_status(200)
        .assert_contains("<title>Flying · Search");
    assert_eq!(feed.body.matches("<entry>").count(), 1);
    // A reader of feeds that has a key keeps it.
    let key = world.key("bob");
    let client = world.anonymous();
    let start = client
        .get(&format!("/search.atom?query_id=1&key={key}"))
        .assert_status(302);
    assert_eq!(
        start.location(),
        format!("/search.atom?q=rocket&news=1&query_id=1&key={key}")
    );
    client.get(start.location()).assert_status(200);
    // Another search than the saved one has a feed of its own.
    bob.get("/search?q=rocket&query_id=1")
        .assert_contains("href=\"/search.atom?q=rocket\">Atom");
}

#[test]
fn searches_saved_at_the_same_time_are_all_kept() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    std::thread::scope(|scope| {
        for number in 0..4 {
            let world = &world;
            scope.spawn(move || {
                let bob = Browser::logged_in(world, "bob");
                let name = format!("Number {number}");
                save(
                    &bob,
                    "/queries?q=rocket&type=SearchQuery",
                    &[("query[name]", &name)],
                );
            });
        }
    });
    let list = bob.get("/search").assert_status(200).body;
    assert_eq!(list.matches("<b>Number ").count(), 4);
}
