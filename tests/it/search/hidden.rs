//! Scores and their explanations tell nothing of what the viewer may not see.

use super::world;
use crate::world::World;
use serde_json::json;

fn issue(world: &World, project: &str, subject: &str, description: &str) -> i64 {
    let body = json!({"issue": {"project_id": project, "subject": subject, "description": description}});
    world.as_user("alice").post("/issues.json", &body.to_string()).expect(201).json()["issue"]["id"].as_i64().unwrap()
}

#[test]
fn hidden_records_move_no_score() {
    let world = world();
    for (subject, description) in
        [("Budget of the merger", "numbers"), ("Merger", "budget budget"), ("Parking", "merger of two lots"), ("Lunch", "a budget")]
    {
        issue(&world, "open", subject, description);
    }
    let note = |text: &str| {
        let body = json!({"issue": {"notes": text, "private_notes": true}});
        let _ = world.as_user("alice").put("/issues/3.json", &body.to_string()).expect(200);
    };
    let questions =
        ["q=merger+budget&all_words=0", "q=merger+budget", "q=merg*+lots&all_words=0", "q=%22of+the+merger%22+budget&all_words=0"];
    let told = || -> Vec<String> {
        let searches = questions.map(|question| format!("/search.json?{question}&explain=1&sort=relevance"));
        let similar = ["/issues/4/similar.json".to_owned()];
        searches.iter().chain(&similar).map(|path| world.as_user("dave").get(path).expect(200).body).collect()
    };
    let before = told();
    assert!(before.iter().all(|body| body.contains("\"score\"")), "{before:?}");
    for n in 0..3 {
        issue(&world, "secret", "The merger", &format!("of a codename {n}"));
        issue(&world, "secret", "Budget", "merger merger");
        note("the merger again");
        assert_eq!(told(), before);
    }
    // Whoever may see them is told of them.
    let seen = world.as_user("alice").get("/search.json?q=merger").expect(200).json();
    assert_eq!(seen["total_count"], 9);
}
