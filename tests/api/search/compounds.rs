//! Compound words, written as one word or as two.

use super::total;
use quarry_world::{MANAGER, World};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::new();
    world.project("texts").member("alice", MANAGER).create();
    for text in [
        "tableview crash",
        "crash of a table view",
        "the tableView crashes",
        "a table with a view",
    ] {
        world
            .issue("texts")
            .subject("Entry")
            .description(text)
            .create();
    }
    world
}

fn found(world: &World, query: &str) -> Value {
    world
        .as_user("alice")
        .get(&format!("/search.json?{query}"))
        .assert_status(200)
        .json()
}

#[test]
fn each_spelling_of_a_compound_finds_the_others() {
    let world = world();
    for (query, expected) in [
        ("tableview", 3),
        ("tableView", 3),
        ("tableviews", 3),
        ("table+view", 4),
        ("crash+table+view", 3),
        ("tableview+crash", 3),
        ("tableview&all_words=0", 3),
        // A phrase and an excluded word mean what was typed.
        ("%22table+view%22", 2),
        ("crash+-tableview", 1),
        ("table+OR+nothing+view", 3),
        // Halves are at least three letters long.
        ("ta+bleview", 0),
    ] {
        assert_eq!(
            total(&world, "alice", &format!("q={query}")),
            expected,
            "{query}"
        );
    }
}

#[test]
fn misspelled_compound_is_corrected() {
    let response = found(&world(), "q=tabelview");
    assert_eq!(
        (&response["did_you_mean"], &response["did_you_mean_count"]),
        (&json!("tableview"), &json!(3))
    );
    assert_eq!(response["total_count"], 3);
}

#[test]
fn other_spelling_is_highlighted_and_scores_less() {
    let response = found(&world(), "q=tableview&explain=1&sort=relevance");
    let excerpts: Vec<&str> = response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["excerpt"].as_str().unwrap())
        .collect();
    assert_eq!(excerpts[2], "crash of a <mark>table view</mark>");
    assert!(
        excerpts.contains(&"<mark>tableview</mark> crash")
            && excerpts.contains(&"the <mark>tableView</mark> crashes")
    );
    assert_eq!(
        response["results"][2]["explain"]["words"][0]["in"],
        json!(["text"])
    );
}

#[test]
fn halves_are_taken_for_known_words_where_the_compound_is_known() {
    let world = World::new();
    world.project("texts").member("alice", MANAGER).create();
    for text in ["the database is slow", "slow base", "bass"] {
        world
            .issue("texts")
            .subject("Entry")
            .description(text)
            .create();
    }
    let response = found(&world, "q=data+base+slow");
    assert_eq!(response["total_count"], 1);
    assert!(response.get("did_you_mean").is_none(), "{response}");
}
