//! `/journals/:id`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn journals_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![row(
        "updateJournal",
        ([204, 204, 403, 401], |records| {
            on("journal_id", records.journal()).body(json!({"journal": {"notes": "Changed"}}))
        }),
        ([404; 4], |_| {
            on("journal_id", MISSING).body(json!({"journal": {"notes": "Changed"}}))
        }),
    )]
}
