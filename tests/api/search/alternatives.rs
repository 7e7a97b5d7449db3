//! Corrections of rare words, and alternatives where all words find little.

use quarry::domain::administration::setting::Setting;
use quarry_world::{DEVELOPER, MANAGER, World};
use serde_json::{Value, json};

fn create(world: &World, login: &str, project: &str, text: &str) {
    world
        .issue(project)
        .author(login)
        .subject("Entry")
        .description(text)
        .create();
}

/// A world with 24 records about Android, one with a slip, and hidden ones.
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
        .member("bob", MANAGER)
        .create();
    for n in 0..24 {
        create(
            &world,
            "alice",
            "texts",
            if n % 2 == 0 {
                "android reading a value"
            } else {
                "android with an empty value"
            },
        );
    }
    create(&world, "alice", "texts", "anrdoid is slow");
    world
}

fn search(world: &World, login: &str, query: &str) -> Value {
    world
        .as_user(login)
        .get(&format!("/search.json?{query}&description=0"))
        .assert_status(200)
        .json()
}

fn total(world: &World, login: &str, alternative: &Value) -> Value {
    let q = alternative["q"]
        .as_str()
        .unwrap()
        .replace(' ', "+")
        .replace('"', "%22");
    let all_words = if alternative["all_words"] == json!(true) {
        1
    } else {
        0
    };
    search(world, login, &format!("q={q}&all_words={all_words}"))["total_count"].clone()
}

#[test]
fn word_that_is_far_rarer_than_a_similar_one_is_offered_corrected() {
    let world = world();
    let found = search(&world, "alice", "q=anrdoid+value");
    assert_eq!(
        found["total_count"], 0,
        "what was typed is not replaced: {found}"
    );
    assert_eq!(
        (&found["did_you_mean"], &found["did_you_mean_count"]),
        (&json!("android value"), &json!(24))
    );
    assert_eq!(
        found["alternatives"][0],
        json!({"q": "android value", "all_words": true, "without": [], "total_count": 24})
    );
    // What was found comes first and unchanged.
    let found = search(&world, "alice", "q=Anrdoid");
    assert_eq!(
        (&found["total_count"], &found["did_you_mean"]),
        (&json!(1), &json!("Android"))
    );
    assert!(
        found["results"][0]["excerpt"]
            .as_str()
            .unwrap()
            .starts_with("<mark>anrdoid</mark>")
    );
    // A word that many records have is right, and so is a pair of words that are about as frequent.
    for query in ["q=android", "q=slow", "q=value"] {
        assert!(
            search(&world, "alice", query).get("did_you_mean").is_none(),
            "{query}"
        );
    }
}

#[test]
fn alternatives_find_more_and_as_much_as_they_say() {
    let world = world();
    for query in [
        "anrdoid+value",
        "reading+empty+value",
        "android+slow+value",
        "nothing+zzzz+reading+empty",
        "paylaod+slow+empty",
        "is:open+slow+value",
    ] {
        let found = search(&world, "alice", &format!("q={query}"));
        let alternatives = found["alternatives"]
            .as_array()
            .unwrap_or_else(|| panic!("{query}: {found}"));
        assert!((1..=3).contains(&alternatives.len()), "{query}: {found}");
        for alternative in alternatives {
            assert_eq!(
                total(&world, "alice", alternative),
                alternative["total_count"],
                "{query}: {alternative}"
            );
            assert!(
                alternative["total_count"].as_i64() > found["total_count"].as_i64(),
                "{query}: {found}"
            );
        }
    }
}

#[test]
fn word_that_costs_most_is_left_out() {
    let world = world();
    let found = search(&world, "alice", "q=reading+empty+value");
    let expected = json!([
        {"q": "reading empty value", "all_words": false, "without": [], "total_count": 24},
        {"q": "empty value", "all_words": true, "without": ["reading"], "total_count": 12},
    ]);
    assert_eq!(
        (&found["total_count"], &found["alternatives"]),
        (&json!(0), &expected)
    );
    let found = search(&world, "alice", "q=zzzz+OR+yyyy+%22no+such+phrase%22+value");
    let without = json!({"q": "value", "all_words": true, "without": ["zzzz OR yyyy", "\"no such phrase\""], "total_count": 24});
    assert_eq!(found["alternatives"][1], without, "{found}");
}

#[test]
fn ten_results_or_any_words_have_no_alternatives() {
    let world = world();
    for query in [
        "q=empty+value",
        "q=reading+slow&all_words=0",
        "q=zzzz",
        "q=is:closed",
        "q=",
    ] {
        assert!(
            search(&world, "alice", query).get("alternatives").is_none(),
            "{query}"
        );
    }
    assert!(
        search(&world, "alice", "q=reading+slow&nometa=1")
            .get("alternatives")
            .is_none()
    );
    world.set(Setting::RedmineCompatibility, "1");
    let found = search(&world, "alice", "q=anrdoid+value");
    assert!(
        found.get("alternatives").is_none() && found.get("did_you_mean").is_none(),
        "{found}"
    );
}

#[test]
fn hidden_records_neither_correct_nor_count() {
    let world = world();
    for _ in 0..30 {
        create(&world, "bob", "vault", "kryptonite with slwo");
    }
    create(&world, "alice", "texts", "krpytonite and slow");
    // Only bob sees that kryptonite is more frequent, and that slow is rarer than a slip of it.
    let found = search(&world, "alice", "q=krpytonite");
    assert!(
        found.get("did_you_mean").is_none() && found.get("alternatives").is_none(),
        "{found}"
    );
    assert_eq!(
        search(&world, "bob", "q=krpytonite")["did_you_mean"],
        "kryptonite"
    );
    let found = search(&world, "alice", "q=krpytonite+value");
    assert_eq!(found["alternatives"][0]["total_count"], 25, "{found}");
    assert_eq!(
        search(&world, "bob", "q=krpytonite+value")["alternatives"][0]["q"],
        "kryptonite value"
    );
}

#[test]
fn alternatives_are_in_xml_too() {
    let world = world();
    let xml = world
        .as_user("alice")
        .get("/search.xml?q=reading+slow")
        .assert_status(200)
        .body;
    let expected = "<alternatives type=\"array\"><alternative><q>reading slow</q><all_words>false</all_words>\
                    <without type=\"array\"></without><total_count>13</total_count></alternative>";
    assert!(xml.contains(expected), "{xml}");
    assert!(xml.contains("<without type=\"array\"><word>"), "{xml}");
}
