//! The tables of `docs/search-joints.md`: how words are split and joined.

use quarry_world::{MANAGER, World, percent_encode};
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/search-joints.md");

/// Returns the rows of the table in a section, without back quotes.
fn rows(section: &str) -> Vec<[String; 3]> {
    let (_, page) = PAGE.split_once(section).unwrap();
    let page = page.split("\n## ").next().unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let rows = rows.map(|line| {
        let cells: Vec<String> = line
            .trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().trim_matches('`').to_owned())
            .collect();
        cells.try_into().unwrap()
    });
    rows.collect()
}

/// Creates an issue with each text as its subject.
fn world<'t>(texts: impl IntoIterator<Item = &'t String>) -> World {
    let world = World::new();
    world.project("texts").member("alice", MANAGER).create();
    for text in texts.into_iter().collect::<BTreeSet<_>>() {
        world.issue("texts").subject(text).create();
    }
    world
}

/// Returns the results, the best first.
fn results(world: &World, query: &str) -> Vec<Value> {
    let address = format!(
        "/search.json?sort=relevance&limit=100&q={}",
        percent_encode(query)
    );
    let response = world.as_user("alice").get(&address).assert_status(200);
    let response = response.json();
    // Corrections would find something where nothing matches.
    if response.get("did_you_mean").is_some() {
        return Vec::new();
    }
    response["results"].as_array().unwrap().clone()
}

/// Returns the result with this subject.
fn position(results: &[Value], subject: &str) -> Option<usize> {
    let title = |result: &Value| result["title"].as_str().unwrap().to_owned();
    let ending = format!("): {subject}");
    results
        .iter()
        .position(|result| title(result).ends_with(&ending))
}

#[test]
fn each_row_of_the_page_is_found_and_marked_or_not() {
    let rows = rows("## 1.");
    assert!(rows.len() > 80, "{}", rows.len());
    let world = world(rows.iter().map(|[text, ..]| text));
    let mut failures = Vec::new();
    for [text, query, found] in &rows {
        assert!(matches!(found.as_str(), "yes" | "no"), "{found}");
        let results = results(&world, query);
        let position = position(&results, text);
        if position.is_some() != (found == "yes") {
            failures.push(format!("{text}, {query}: not {found}"));
        }
        if let Some(position) = position
            && !results[position]["title_html"]
                .as_str()
                .unwrap()
                .contains("<mark>")
        {
            failures.push(format!("{text}, {query}: no mark"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn whole_words_rank_above_their_parts() {
    let rows = rows("## 2.");
    assert!(rows.len() > 5);
    let mut failures = Vec::new();
    for [query, first, second] in &rows {
        // The later issue comes first where both score the same.
        for [one, other] in [[first, second], [second, first]] {
            let world = World::new();
            world.project("texts").member("alice", MANAGER).create();
            world.issue("texts").subject(one).create();
            world.issue("texts").subject(other).create();
            let results = results(&world, query);
            let positions = [first, second].map(|subject| position(&results, subject));
            if positions != [Some(0), Some(1)] {
                failures.push(format!("{query}: {first}, {second}: {positions:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
