//! `GET /search`, `GET /projects/:id/search` (docs/search.md; compatibility 2.3 and 10)

mod alternatives;
mod compounds;
mod corrections;
mod during_writes;
mod files;
mod groups;
mod hidden;
mod highlights;
mod history_qualifiers;
mod issue_qualifiers;
mod joints;
mod language;
mod limits;
mod options;
mod permissions;
pub mod reference;
mod results;
mod scripts;
mod sort;
mod stale;
mod suggest;

use quarry_world::World;
use quarry_world::search::world;
use serde_json::json;

fn search(world: &World, login: &str, query: &str) -> serde_json::Value {
    world
        .as_user(login)
        .get(&format!("/search.json?{query}"))
        .assert_status(200)
        .json()
}

fn titles(response: &serde_json::Value) -> Vec<String> {
    response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["title"].as_str().unwrap().to_owned())
        .collect()
}

/// Searches as a client does, without waiting for the index first. The service waits for it up to two
/// seconds; results with a warning that they may lack recent changes are searched again.
fn fresh_results(world: &World, login: &str, query: &str) -> serde_json::Value {
    let client = world.as_user(login).without_waiting();
    let search = || {
        let response = client.get(&format!("/search.json?{query}"));
        response.assert_status(200)
    };
    let mut response = search();
    for _ in 0..20 {
        if response.header("warning").is_empty() {
            break;
        }
        response = search();
    }
    response.json()
}

fn total(world: &World, login: &str, query: &str) -> i64 {
    let response = search(world, login, query);
    let total = response["total_count"].as_i64().unwrap();
    assert_eq!(total, titles(&response).len() as i64, "{response}");
    assert_eq!(
        total,
        response["counts"]
            .as_object()
            .unwrap()
            .values()
            .map(|count| count.as_i64().unwrap())
            .sum::<i64>()
    );
    total
}

#[test]
fn written_records_are_found_by_the_next_search() {
    let world = world();
    for n in 0..30 {
        let word = format!("fresh{n}of");
        let body = json!({"issue": {"project_id": "open", "subject": word}});
        world
            .as_user("carol")
            .post("/issues.json", &body)
            .assert_status(201);
        let found = fresh_results(&world, "carol", &format!("q={word}"));
        assert_eq!(found["total_count"], 1, "{word}");
        assert_eq!(total(&world, "dave", &format!("q={word}")), 1, "{word}");
    }
}

#[test]
fn words_may_be_spread_over_issue_and_notes() {
    let world = world();
    world
        .as_user("carol")
        .put(
            "/issues/1.json",
            json!({"issue": {"notes": "the gasket is worn"}}),
        )
        .assert_status(200);
    assert_eq!(total(&world, "dave", "q=leaks+fuel+gasket"), 1);
}
