//! Searches while changes are not indexed.

use quarry_store::transaction::changes;
use quarry_world::World;
use quarry_world::complete_world::{complete_world, reindex};
use quarry_world::search::world;
use serde_json::{Value, json};

/// Returns total, counts, facets and the ids of the hits of a search for issues by "dave".
fn search(world: &World, query: &str) -> (Value, Value, Value, Vec<i64>) {
    let path = format!("/search.json?issues=1&facets=status,author&{query}");
    let client = world.as_user("dave").without_waiting();
    let response = client.get(&path).assert_status(200).json();
    let hits = response["results"].as_array().unwrap();
    (
        response["total_count"].clone(),
        response["counts"].clone(),
        response["facets"].clone(),
        hits.iter().map(|hit| hit["id"].as_i64().unwrap()).collect(),
    )
}

#[test]
fn records_that_became_hidden_are_not_counted_before_they_are_indexed() {
    let mut world = world();
    let create = |subject: &str| world.issue("open").subject(subject).create();
    let [kept, private, moved, deleted] =
        ["comet one", "comet two", "comet three", "comet four"].map(create);
    assert_eq!(world.count_hits("dave", "comet"), 4);
    let alone = search(&world, "q=comet+one");
    world.stop_indexing();
    let alice = world.as_user("alice");
    for (id, change) in [
        (kept, json!({"subject": "comet one, still there"})),
        (private, json!({"is_private": true})),
        (moved, json!({"project_id": "secret"})),
    ] {
        let body = json!({ "issue": change }).to_string();
        let path = format!("/issues/{id}.json");
        alice.put(&path, &body).assert_status(200);
    }
    world
        .as_user("admin")
        .delete(&format!("/issues/{deleted}.json"))
        .assert_status(200);
    let response = search(&world, "q=comet");
    assert_eq!(response, alone, "one issue is left");
    assert_eq!(response.0, 1);
    // Who may see them finds them.
    let path = "/search.json?q=comet&issues=1";
    let found = world.as_user("alice").without_waiting().get(path).json();
    assert_eq!(found["total_count"], 3, "{found}");
    let suggestions = world
        .as_user("dave")
        .without_waiting()
        .get("/search/suggest.json?q=comet")
        .assert_status(200)
        .body;
    assert!(
        suggestions.contains("comet one") && !suggestions.contains("comet two"),
        "{suggestions}"
    );
}

#[test]
fn changed_records_of_every_type_are_found_by_those_who_see_them() {
    let mut world = complete_world();
    let total = |world: &World, login: &str| {
        let client = world.as_user(login).without_waiting();
        let found = client.get("/search.json?q=pump").assert_status(200);
        found.integer("/total_count")
    };
    let logins = ["alice", "bob", "carol"];
    world.count_hits("alice", "pump");
    let before = logins.map(|login| total(&world, login));
    assert!(before[0] > before[2], "{before:?}");
    world.stop_indexing();
    reindex(&world);
    let last = world.app.store.read(|db| changes::last(db)).unwrap();
    assert!(world.app.search.indexed().unwrap() < last, "{last}");
    assert_eq!(logins.map(|login| total(&world, login)), before);
}
