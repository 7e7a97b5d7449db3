//! Several values of one qualifier, and facets that add them (docs/search.md, section 1.1).

use super::page;
use quarry_world::{DEVELOPER, World};

/// Three projects with one, two and three issues about pumps.
fn world() -> World {
    let world = World::new();
    for (number, project) in ["one", "two", "three"].into_iter().enumerate() {
        world.project(project).member("alice", DEVELOPER).create();
        for _ in 0..=number {
            world.issue(project).subject("pump").create();
        }
    }
    world
}

fn total(world: &World, query: &str) -> i64 {
    let path = format!(
        "/search.json?q={}",
        query.replace('>', "%3E").replace('<', "%3C")
    );
    let found = world.as_user("alice").get(&path).assert_status(200);
    found.json()["total_count"].as_i64().unwrap()
}

#[test]
fn same_qualifier_twice_means_or() {
    let world = world();
    for (query, expected) in [
        ("pump+project:one+project:two", 3),
        ("project:one+pump+project:three", 4),
        ("pump+is:open+is:closed", 6),
        ("pump+type:issue+type:wiki", 6),
        ("pump+author:alice+author:bob", 6),
        // Different qualifiers stay "and", and so do negated ones and ranges of time.
        ("pump+project:one+project:two+is:open+author:bob", 0),
        ("pump+-project:one+-project:two", 3),
        ("pump+project:one+project:two+-project:two", 1),
        ("pump+created:>=2026+created:<=2025", 0),
    ] {
        assert_eq!(total(&world, query), expected, "{query}");
    }
}

#[test]
fn hidden_project_is_no_alternative() {
    let world = world();
    world.project("hidden").private().create();
    world
        .as_user("alice")
        .get("/search.json?q=pump+project:one+project:hidden")
        .assert_status(422);
}

#[test]
fn second_value_of_a_facet_is_added_and_a_chosen_one_taken_away() {
    let world = world();
    let shown = page(&world, "alice", "/search?q=pump+project:two");
    assert_eq!(shown.total, 2);
    let facet: Vec<(&str, i64)> = shown.facets["Project"]
        .iter()
        .map(|(name, count, _)| (name.as_str(), *count))
        .collect();
    assert_eq!(facet, [("two", 2), ("three", 3), ("one", 1)]);
    assert_eq!(shown.selected, ["/search?q=pump"]);
    let add = "/search?q=pump%20project%3Atwo%20project%3Athree";
    assert_eq!(shown.additions[0], add);
    let both = page(&world, "alice", add);
    assert_eq!(both.total, 5);
    // Three has more results, and comes first; each leads to the search without it.
    assert_eq!(
        both.selected,
        [
            "/search?q=pump%20project%3Atwo",
            "/search?q=pump%20project%3Athree"
        ]
    );
    assert_eq!(both.facets["Project"][2].1, 1);
}

#[test]
fn query_of_one_qualifier_alone_offers_what_others_add() {
    let world = world();
    let shown = page(&world, "alice", "/search?q=project:one");
    let names: Vec<&str> = shown.facets["Project"]
        .iter()
        .map(|(name, ..)| name.as_str())
        .collect();
    // The issues and the project itself.
    assert_eq!(names, ["one", "three", "two"]);
    for (count, path) in shown.counted_links() {
        assert_eq!(page(&world, "alice", &path).total, count, "{path}");
    }
}
