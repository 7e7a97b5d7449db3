//! Searches during continuous writes.

use super::fresh_results;
use quarry_world::search::world;
use quarry_world::wait::SetOnDrop;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WRITERS: usize = 8;
const ROUNDS: usize = 15;

#[test]
fn own_changes_are_found_by_the_next_search_during_other_writes() {
    let world = world();
    let done = AtomicBool::new(false);
    let written = AtomicU64::new(0);
    let text = (0..2_000).map(|n| format!("word{n} ")).collect::<String>();
    std::thread::scope(|scope| {
        let _until_the_end = SetOnDrop(&done);
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let body = json!({"issue": {"project_id": "open", "subject": "Noise", "description": text}}).to_string();
                while !done.load(Ordering::Relaxed) {
                    let status = world.as_user("bob").post("/issues.json", &body).status;
                    // On a slow machine writes wait for too long.
                    assert!([201, 503].contains(&status), "{status}");
                    written.fetch_add(u64::from(status == 201), Ordering::Relaxed);
                }
            });
        }
        let missed: Vec<usize> = (0..ROUNDS)
            .filter(|n| {
                let body =
                    json!({"issue": {"project_id": "open", "subject": format!("fresh{n}of")}})
                        .to_string();
                world
                    .as_user("carol")
                    .post("/issues.json", &body)
                    .assert_status(201);
                let query = format!("q=fresh{n}of");
                fresh_results(&world, "carol", &query)["total_count"] != 1
            })
            .collect();
        assert!(missed.is_empty(), "{missed:?} were not found");
    });
    assert!(written.into_inner() > 0);
}
