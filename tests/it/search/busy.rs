//! Searches while others write as fast as they can.

use super::world;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WRITERS: usize = 8;
const ROUNDS: usize = 15;

/// Ends the writers, also when the test fails.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn what_a_viewer_saved_is_found_by_the_next_search_while_others_write() {
    let world = world();
    let (done, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let text = (0..2_000).map(|n| format!("word{n} ")).collect::<String>();
    std::thread::scope(|scope| {
        let _until_the_end = Done(&done);
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let body = json!({"issue": {"project_id": "open", "subject": "Noise", "description": text}}).to_string();
                while !done.load(Ordering::Relaxed) {
                    let _ = world.as_user("bob").post("/issues.json", &body).expect(201);
                    written.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let missed: Vec<usize> = (0..ROUNDS)
            .filter(|n| {
                let body = json!({"issue": {"project_id": "open", "subject": format!("unheard{n}of")}}).to_string();
                let _ = world.as_user("carol").post("/issues.json", &body).expect(201);
                let answer = world.as_user("carol").impatient().get(&format!("/search.json?q=unheard{n}of")).expect(200).json();
                answer["total_count"] != 1
            })
            .collect();
        assert!(missed.is_empty(), "{missed:?} were not found");
    });
    assert!(written.into_inner() > 0);
}
