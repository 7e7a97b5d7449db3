//! Limits of queries and the errors beyond them.

use super::total;
use quarry_world::World;
use quarry_world::search::world;

fn refusal(world: &World, query: &str) -> String {
    let response = world
        .as_user("alice")
        .get(&format!("/search.json?{query}"))
        .assert_status(422)
        .errors();
    let xml = world
        .as_user("alice")
        .get(&format!("/search.xml?{query}"))
        .assert_status(422)
        .errors();
    assert_eq!(response, xml);
    response[0].clone()
}

fn words(count: usize) -> String {
    (0..count)
        .map(|n| format!("word{n}"))
        .collect::<Vec<_>>()
        .join("+")
}

#[test]
fn long_queries_are_rejected_with_the_limit() {
    let world = world();
    assert_eq!(
        refusal(&world, &format!("q={}", "x".repeat(8001))),
        "q is too long (at most 8000 characters)"
    );
    assert_eq!(
        total(&world, "alice", &format!("q={}", "x".repeat(8000))),
        0
    );
    assert_eq!(
        total(&world, "alice", &format!("q={}", "%D1%8F".repeat(8000))),
        0
    );
    let message =
        "q has too many words (at most 100 where all must match, any number with all_words=0)";
    assert_eq!(refusal(&world, &format!("q={}", words(101))), message);
    assert_eq!(total(&world, "alice", &format!("q={}", words(100))), 0);
    let message = "q has too many qualifiers, excluded words and words in groups (at most 100)";
    assert_eq!(
        refusal(&world, &format!("q={}&all_words=0", "is:open+".repeat(101))),
        message
    );
}

fn any_of(words: &str) -> String {
    format!("q={words}&all_words=0")
}

#[test]
fn rarest_words_of_a_long_query_decide_what_is_found() {
    let world = world();
    let unknown = (0..900)
        .map(|n| format!("at{n}"))
        .collect::<Vec<_>>()
        .join("+");
    // What no record has does not displace what some have.
    assert_eq!(
        total(&world, "alice", &any_of(&format!("{unknown}+kryptonite"))),
        1
    );
    assert_eq!(
        total(&world, "dave", &any_of(&format!("{unknown}+kryptonite"))),
        0
    );
    assert_eq!(
        total(
            &world,
            "alice",
            &any_of(&format!("{unknown}+kryptonite+is:closed"))
        ),
        0
    );
    assert_eq!(
        total(&world, "alice", &any_of(&format!("{unknown}+is:open"))),
        0
    );
    // Without digits, which would be words of their own.
    let letters = ('a'..='h').flat_map(|one| ('a'..='h').map(move |other| (one, other)));
    let common: Vec<String> = letters
        .map(|(one, other)| format!("common{one}{other}"))
        .collect();
    for subject in ["one", "two", "scarce"] {
        world
            .issue("open")
            .subject(subject)
            .description(&common.join(" "))
            .create();
    }
    let found = world
        .as_user("alice")
        .get(&format!(
            "/search.json?q={}+scarce+one+two&all_words=0",
            common.join("+")
        ))
        .json();
    // The three rarest words and 61 of the others: every record has one of them.
    assert_eq!(found["total_count"], 3);
    assert!(
        found["results"][0]["excerpt"]
            .as_str()
            .unwrap()
            .contains("<mark>common"),
        "{found}"
    );
    assert!(found.get("did_you_mean").is_none() && found.get("alternatives").is_none());
}

#[test]
fn offset_is_limited() {
    let world = world();
    let text = "offset must be at most 100000 in a search; narrow q instead";
    for query in [
        "q=rocket&offset=100001",
        "q=rocket&page=99999999&limit=100",
        "q=rocket&offset=9223372036854775807",
    ] {
        assert_eq!(refusal(&world, query), text, "{query}");
    }
    let response = world
        .as_user("alice")
        .get("/search.json?q=rocket&offset=100000")
        .assert_status(200)
        .json();
    assert!(
        response["total_count"].as_i64() > Some(5) && response["results"] == serde_json::json!([])
    );
}

#[test]
fn prefix_matches_more_words_than_are_ranked() {
    let world = world();
    for n in 0..60 {
        let body = serde_json::json!({"issue": {"project_id": "open", "subject": format!("seal_pre{n}x")}});
        world
            .as_user("alice")
            .post("/issues.json", body.to_string())
            .assert_status(201);
    }
    for query in ["q=pre*", "q=seal_pre*"] {
        let response = world
            .as_user("alice")
            .get(&format!("/search.json?{query}&limit=1"))
            .assert_status(200)
            .json();
        assert_eq!(response["total_count"], 60, "{query}");
    }
}
