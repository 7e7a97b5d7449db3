//! What a question may ask at most, and what is said to one that asks for more.

use super::{total, world};
use crate::world::World;

fn refusal(world: &World, query: &str) -> String {
    let answer = world.as_user("alice").get(&format!("/search.json?{query}")).expect(422).errors();
    let xml = world.as_user("alice").get(&format!("/search.xml?{query}")).expect(422).errors();
    assert_eq!(answer, xml);
    answer[0].clone()
}

#[test]
fn long_questions_are_refused_with_the_limit() {
    let world = world();
    assert_eq!(refusal(&world, &format!("q={}", "x".repeat(2001))), "q is too long (at most 2000 characters)");
    assert_eq!(total(&world, "alice", &format!("q={}", "x".repeat(2000))), 0);
    let words = |count: usize| (0..count).map(|n| format!("word{n}")).collect::<Vec<_>>().join("+");
    assert_eq!(refusal(&world, &format!("q={}", words(101))), "q has too many words (at most 100)");
    assert_eq!(total(&world, "alice", &format!("q={}+rocket&all_words=0", words(99))), total(&world, "alice", "q=rocket"));
}

#[test]
fn nobody_pages_without_end() {
    let world = world();
    let said = "offset must be at most 100000 in a search; narrow q instead";
    for query in ["q=rocket&offset=100001", "q=rocket&page=99999999&limit=100", "q=rocket&offset=9223372036854775807"] {
        assert_eq!(refusal(&world, query), said, "{query}");
    }
    let answer = world.as_user("alice").get("/search.json?q=rocket&offset=100000").expect(200).json();
    assert!(answer["total_count"].as_i64() > Some(5) && answer["results"] == serde_json::json!([]));
}

#[test]
fn a_beginning_finds_more_words_than_are_ranked() {
    let world = world();
    for n in 0..60 {
        let body = serde_json::json!({"issue": {"project_id": "open", "subject": format!("seal_pre{n}x")}});
        let _ = world.as_user("alice").post("/issues.json", &body.to_string()).expect(201);
    }
    for query in ["q=pre*", "q=seal_pre*"] {
        let answer = world.as_user("alice").get(&format!("/search.json?{query}&limit=1")).expect(200).json();
        assert_eq!(answer["total_count"], 60, "{query}");
    }
}
