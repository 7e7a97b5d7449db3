//! Scores and explanations disclose no hidden records.

use quarry_world::World;
use quarry_world::search::world;
use serde_json::json;

fn create(world: &World, project: &str, subject: &str, description: &str) -> i64 {
    world
        .issue(project)
        .subject(subject)
        .description(description)
        .create()
}

fn add_private_note(world: &World, text: &str) {
    let body = json!({"issue": {"notes": text, "private_notes": true}});
    world
        .as_user("alice")
        .put("/issues/3.json", body.to_string())
        .assert_status(200);
}

/// Returns the responses to the searches, explained, and the similar issues of issue 4.
fn bodies(world: &World, questions: &[&str]) -> Vec<String> {
    let searches = questions
        .iter()
        .map(|question| format!("/search.json?{question}&explain=1&sort=relevance"));
    searches
        .chain(["/issues/4/similar.json".to_owned()])
        .map(|path| world.as_user("dave").get(&path).assert_status(200).body)
        .collect()
}

#[test]
fn hidden_records_do_not_affect_scores() {
    let world = world();
    for (subject, description) in [
        ("Budget of the merger", "numbers"),
        ("Merger", "budget budget"),
        ("Parking", "merger of two lots"),
        ("Lunch", "a budget"),
    ] {
        create(&world, "open", subject, description);
    }
    let questions = [
        "q=merger+budget&all_words=0",
        "q=merger+budget",
        "q=merg*+lots&all_words=0",
        "q=%22of+the+merger%22+budget&all_words=0",
    ];
    let before = bodies(&world, &questions);
    assert!(
        before.iter().all(|body| body.contains("\"score\"")),
        "{before:?}"
    );
    for n in 0..3 {
        create(
            &world,
            "secret",
            "The merger",
            &format!("of a codename {n}"),
        );
        create(&world, "secret", "Budget", "merger merger");
        add_private_note(&world, "the merger again");
        assert_eq!(bodies(&world, &questions), before);
    }
    // Users who may see them get them in the explanation.
    let seen = world
        .as_user("alice")
        .get("/search.json?q=merger")
        .assert_status(200)
        .json();
    assert_eq!(seen["total_count"], 9);
}

#[test]
fn corrections_of_words_with_digits_come_from_visible_records() {
    let world = world();
    create(&world, "open", "Report", "the turbina5 of the plant");
    let texts = |login: &str| {
        [
            "turbima5",
            "turbima7",
            "turbima7 report",
            "velocat3",
            "velocat9",
        ]
        .map(|query| {
            let path = format!("/search.json?q={query}&description=0").replace(' ', "+");
            world.as_user(login).get(&path).assert_status(200).body
        })
    };
    let before = texts("dave");
    assert!(
        before[0].contains(r#""did_you_mean":"turbina5""#),
        "{before:?}"
    );
    // A hidden record has the second number with the letters, and one has letters of its own.
    for text in ["turbina7", "turbina9x turbina7", "velocar3 velocar9"] {
        create(&world, "secret", "Hidden", text);
    }
    add_private_note(&world, "turbina7 velocar3");
    assert_eq!(texts("dave"), before);
    assert_ne!(texts("admin"), before);
}
