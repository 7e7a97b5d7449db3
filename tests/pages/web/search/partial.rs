//! Results that lack a word stand among those with all words (docs/search.md, section 8.1).

use super::page::SearchPage;
use quarry_world::World;
use serde_json::json;

/// Returns the words that each result lacks, by its address.
fn missing(body: &str) -> Vec<(String, Vec<String>)> {
    let hits = body.split("<li class=\"hit").skip(1);
    hits.map(|hit| {
        let path = hit.split("<a href=\"").nth(1).unwrap();
        let words = hit.split("<s>").skip(1);
        (
            path.split('"').next().unwrap().to_owned(),
            words
                .map(|word| word.split('<').next().unwrap().to_owned())
                .collect(),
        )
    })
    .collect()
}

#[test]
fn best_results_that_lack_a_word_stand_among_those_with_all_words() {
    let world = World::with_projects();
    let add = |subject: &str, text: &str| {
        let issue = world.issue("open").subject(subject);
        issue.description(text).create()
    };
    let long = "The valve of the old boiler is quiet. ".repeat(40);
    let all = add(
        "Something else",
        &format!("{long} A leak, and later a pump."),
    );
    let title = add("Leak of the pump", "It drips since Monday.");
    let partial = add("Pump pump pump", "A pump.");
    let path_of_one = world
        .as_user("bob")
        .get("/search?q=leak+pump")
        .assert_status(200)
        .body;
    assert!(
        !path_of_one.contains("lacks a word"),
        "two results come first: {path_of_one}"
    );
    let other = add(
        "Another",
        &format!("{long} Here is a leak. {long} The pump is loud."),
    );
    let path = |issue: i64| format!("/issues/{issue}");
    let bob = world.as_user("bob");
    let body = bob.get("/search?q=leak+pump").assert_status(200).body;
    assert_eq!(
        missing(&body),
        [
            (path(title), vec![]),
            (path(partial), vec!["leak".to_owned()]),
            (path(all), vec![]),
            (path(other), vec![]),
        ]
    );
    let shown = SearchPage::new(&bob.get("/search?q=leak+pump"));
    assert_eq!(
        (shown.total, shown.paths),
        (3, vec![path(title), path(all), path(other)])
    );
    assert!(body.contains(
        "Plus one result that lacks a word. <a href=\"/search?q=leak%20pump&#38;partial=0\">Show only results with all words</a>"
    ), "{body}");

    let strict = bob.get("/search?q=leak+pump&partial=0").assert_status(200);
    assert_eq!(
        missing(strict.body.split_once("class=\"group more\"").unwrap().0),
        [
            (path(title), vec![]),
            (path(all), vec![]),
            (path(other), vec![])
        ]
    );
    assert!(
        strict
            .body
            .contains("<input type=\"hidden\" name=\"partial\" value=\"0\">")
    );
    for query in [
        "%22leak+pump%22",
        "leak+OR+pump",
        "pump",
        "leak+pump&sort=date",
        "leak+pump&all_words=0",
    ] {
        let body = bob
            .get(&format!("/search?q={query}"))
            .assert_status(200)
            .body;
        assert!(!body.contains("lacks a word"), "{query}: {body}");
    }
}

#[test]
fn word_of_hidden_text_counts_as_missing() {
    let world = World::with_projects();
    for _ in 0..3 {
        world.issue("open").subject("Leak of a pump").create();
    }
    let issue = world.issue("open").subject("Pump").create();
    let note = json!({"issue": {"notes": "a leak", "private_notes": true}});
    world
        .as_user("alice")
        .put(&format!("/issues/{issue}.json"), note)
        .assert_status(200);
    let shown = |login: &str| {
        missing(
            &world
                .as_user(login)
                .get("/search?q=leak+pump")
                .assert_status(200)
                .body,
        )
    };
    let lacking = |login: &str| {
        let rows = shown(login).into_iter();
        rows.filter(|(_, words)| !words.is_empty())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lacking("carol"),
        [(format!("/issues/{issue}"), vec!["leak".to_owned()])]
    );
    assert_eq!(lacking("alice"), []);
    let total =
        |login: &str| SearchPage::new(&world.as_user(login).get("/search?q=leak+pump")).total;
    assert_eq!((total("carol"), total("alice")), (3, 4));
}

#[test]
fn word_that_only_the_index_has_is_not_missing() {
    let world = World::with_projects();
    // The identifier of a project is searched, but is no part of its texts.
    for number in 1..=4 {
        world.project(&format!("valve-{number}")).create();
        world.sql(&format!(
            "UPDATE projects SET name = 'Valve boiler {number}' WHERE identifier = 'valve-{number}'"
        ));
    }
    world.project("boiler").create();
    world.sql("UPDATE projects SET name = 'Valve valve' WHERE identifier = 'boiler'");
    quarry_world::complete_world::reindex(&world);
    let admin = world.as_user("admin");
    let first = admin.get("/search?q=boiler+valve&limit=2&sort=relevance");
    assert_eq!(SearchPage::new(&first).total, 5);
    assert!(!first.body.contains("<s>"), "{}", first.body);
    let path = "/projects/boiler";
    let pages = (1..=3).map(|page| {
        let address = format!("/search?q=boiler+valve&limit=2&sort=relevance&page={page}");
        admin
            .get(&address)
            .body
            .matches(&format!("<a href=\"{path}\""))
            .count()
    });
    assert_eq!(pages.sum::<usize>(), 1);
}

#[test]
fn phrase_in_typographic_quotes_shows_no_partial_results() {
    let world = World::with_projects();
    for number in 1..=3 {
        let issue = world
            .issue("open")
            .subject(&format!("Memory leak crash {number}"));
        issue.create();
    }
    world.issue("open").subject("Memory leak").create();
    let bob = world.as_user("bob");
    assert!(
        bob.get("/search?q=memory+leak+crash")
            .body
            .contains("<s>crash")
    );
    for quoted in ["%22memory+leak%22", "%E2%80%9Cmemory+leak%E2%80%9D"] {
        let body = bob.get(&format!("/search?q={quoted}+crash")).body;
        assert!(!body.contains("<s>"), "{quoted}: {body}");
    }
}
