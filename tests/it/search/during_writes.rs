//! Searches during continuous writes.

use super::world;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WRITERS: usize = 8;
const ROUNDS: usize = 15;

/// Stops the writers, also if the test panics.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn own_changes_are_found_by_the_next_search_during_other_writes() {
    let world = world();
    let done = AtomicBool::new(false);
    let written = AtomicU64::new(0);
    let text = (0..2_000).map(|n| format!("word{n} ")).collect::<String>();
    std::thread::scope(|scope| {
        let _until_the_end = Done(&done);
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let body = json!({"issue": {"project_id": "open", "subject": "Noise", "description": text}}).to_string();
                while !done.load(Ordering::Relaxed) {
                    world.as_user("bob").post("/issues.json", &body).assert_status(201);
                    written.fetch_add(1, Ordering::Relaxed);
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
                let response = world
                    .as_user("carol")
                    .without_waiting()
                    .get(&format!("/search.json?q=fresh{n}of"))
                    .assert_status(200)
                    .json();
                response["total_count"] != 1
            })
            .collect();
        assert!(missed.is_empty(), "{missed:?} were not found");
    });
    assert!(written.into_inner() > 0);
}
