//! Results that lack a word stand among those with all words (docs/search.md, section 8.1).

use super::page::SearchPage;
use crate::world::World;
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
