//! Limits of queries and the errors beyond them.

use super::{total, world};
use crate::world::World;

fn refusal(world: &World, query: &str) -> String {
    let response = world.as_user("alice").get(&format!("/search.json?{query}")).assert_status(422).errors();
    let xml = world.as_user("alice").get(&format!("/search.xml?{query}")).assert_status(422).errors();
    assert_eq!(response, xml);
    response[0].clone()
}

#[test]
fn long_queries_are_rejected_with_the_limit() {
    let world = world();
    assert_eq!(refusal(&world, &format!("q={}", "x".repeat(2001))), "q is too long (at most 2000 characters)");
    assert_eq!(total(&world, "alice", &format!("q={}", "x".repeat(2000))), 0);
    let words = |count: usize| (0..count).map(|n| format!("word{n}")).collect::<Vec<_>>().join("+");
    assert_eq!(refusal(&world, &format!("q={}", words(101))), "q has too many words (at most 100)");
    assert_eq!(total(&world, "alice", &format!("q={}+rocket&all_words=0", words(99))), total(&world, "alice", "q=rocket"));
}

#[test]
fn offset_is_limited() {
    let world = world();
    let text = "offset must be at most 100000 in a search; narrow q instead";
    for query in ["q=rocket&offset=100001", "q=rocket&page=99999999&limit=100", "q=rocket&offset=9223372036854775807"] {
        assert_eq!(refusal(&world, query), text, "{query}");
    }
    let response = world.as_user("alice").get("/search.json?q=rocket&offset=100000").assert_status(200).json();
    assert!(response["total_count"].as_i64() > Some(5) && response["results"] == serde_json::json!([]));
}

#[test]
fn prefix_matches_more_words_than_are_ranked() {
    let world = world();
    for n in 0..60 {
        let body = serde_json::json!({"issue": {"project_id": "open", "subject": format!("seal_pre{n}x")}});
        world.as_user("alice").post("/issues.json", body.to_string()).assert_status(201);
    }
    for query in ["q=pre*", "q=seal_pre*"] {
        let response = world.as_user("alice").get(&format!("/search.json?{query}&limit=1")).assert_status(200).json();
        assert_eq!(response["total_count"], 60, "{query}");
    }
}
