//! Scores and explanations disclose no hidden records.

use super::world;
use crate::world::World;
use serde_json::json;

fn issue(world: &World, project: &str, subject: &str, description: &str) -> i64 {
    let body =
        json!({"issue": {"project_id": project, "subject": subject, "description": description}});
    world
        .as_user("alice")
        .post("/issues.json", body.to_string())
        .assert_status(201)
        .integer("/issue/id")
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
        issue(&world, "open", subject, description);
    }
    let note = |text: &str| {
        let body = json!({"issue": {"notes": text, "private_notes": true}});
        world
            .as_user("alice")
            .put("/issues/3.json", body.to_string())
            .assert_status(200);
    };
    let questions = [
        "q=merger+budget&all_words=0",
        "q=merger+budget",
        "q=merg*+lots&all_words=0",
        "q=%22of+the+merger%22+budget&all_words=0",
    ];
    let message = || -> Vec<String> {
        let searches =
            questions.map(|question| format!("/search.json?{question}&explain=1&sort=relevance"));
        let similar = ["/issues/4/similar.json".to_owned()];
        searches
            .iter()
            .chain(&similar)
            .map(|path| world.as_user("dave").get(path).assert_status(200).body)
            .collect()
    };
    let before = message();
    assert!(
        before.iter().all(|body| body.contains("\"score\"")),
        "{before:?}"
    );
    for n in 0..3 {
        issue(
            &world,
            "secret",
            "The merger",
            &format!("of a codename {n}"),
        );
        issue(&world, "secret", "Budget", "merger merger");
        note("the merger again");
        assert_eq!(message(), before);
    }
    // Users who may see them get them in the explanation.
    let seen = world
        .as_user("alice")
        .get("/search.json?q=merger")
        .assert_status(200)
        .json();
    assert_eq!(seen["total_count"], 9);
}
