//! `/issues/:id/watchers`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn watchers_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "addWatcher",
            ([204, 204, 403, 401], |records| {
                on("issue_id", records.issue()).body(json!({"user_id": 4}))
            }),
            // Redmine ignores unknown users, and so does the description.
            ([204, 204, 403, 401], |records| {
                on("issue_id", records.issue()).body(json!({"user_id": 987_654}))
            }),
        )
        .also(403, |_| on("issue_id", MISSING).body(json!({"user_id": 4}))),
        row(
            "removeWatcher",
            ([204, 204, 403, 401], |records| {
                on("issue_id", records.issue()).and("user_id", 4)
            }),
            ([404, 404, 403, 401], |records| {
                on("issue_id", records.issue()).and("user_id", MISSING)
            }),
        ),
    ]
}
