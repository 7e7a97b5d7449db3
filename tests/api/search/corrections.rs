//! Corrections are chosen by the number of hits that the corrected words have together.

use quarry_world::{DEVELOPER, MANAGER, World};
use serde_json::{Value, json};

fn create(world: &World, project: &str, text: &str, count: usize) {
    for _ in 0..count {
        world
            .issue(project)
            .subject("Entry")
            .description(text)
            .create();
    }
}

/// A world in which "week" is more frequent than "leak", but rare together with "memory".
fn world() -> World {
    let world = World::new();
    world
        .project("texts")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world
        .project("vault")
        .private()
        .member("alice", MANAGER)
        .create();
    create(&world, "texts", "a memory leak", 3);
    create(&world, "texts", "a memory of one week", 1);
    create(&world, "texts", "wait a week", 6);
    world
}

fn search(world: &World, login: &str, query: &str) -> Value {
    world
        .as_user(login)
        .get(&format!("/search.json?q={query}&description=0"))
        .assert_status(200)
        .json()
}

#[test]
fn corrections_with_the_most_hits_together_are_chosen() {
    let world = world();
    let found = search(&world, "bob", "memmory+leek");
    assert_eq!(
        (&found["did_you_mean"], &found["did_you_mean_count"]),
        (&json!("memory leak"), &json!(3)),
        "{found}"
    );
    let found = search(&world, "bob", "memmory+leek&all_words=0");
    assert_eq!(found["did_you_mean"], "memory leak", "{found}");
    // On its own, the more frequent word is the more likely correction.
    assert_eq!(search(&world, "bob", "leek")["did_you_mean"], "week");
}

#[test]
fn hidden_records_do_not_influence_corrections() {
    let world = world();
    create(&world, "vault", "a memory of the last week", 4);
    assert_eq!(
        search(&world, "bob", "memmory+leek")["did_you_mean"],
        "memory leak"
    );
    assert_eq!(
        search(&world, "alice", "memmory+leek")["did_you_mean"],
        "memory week"
    );
}

#[test]
fn repeated_word_is_listed_once() {
    let world = world();
    let query = format!("memory+leak{}", "+zzzz+ZZZZ".repeat(12));
    let found = search(&world, "bob", &query);
    let alternatives = found["alternatives"].as_array().unwrap();
    let without = alternatives
        .iter()
        .find(|alternative| alternative["without"] != json!([]))
        .unwrap();
    assert_eq!(
        (&without["q"], &without["without"]),
        (&json!("memory leak"), &json!(["zzzz"])),
        "{found}"
    );
}
