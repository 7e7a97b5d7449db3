//! `/issues/:id/relations`, `/relations/:id`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn relations_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getIssueRelations",
            ([200; 4], |records| on("issue_id", records.complete_issue())),
            ([404; 4], |_| on("issue_id", MISSING)),
        ),
        row(
            "createIssueRelation",
            ([201, 201, 403, 401], |records| {
                let from = records.issue();
                let to = records.issue();
                on("issue_id", from).body(json!({"relation": {"issue_to_id": to, "relation_type": "precedes", "delay": 2}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("issue_id", records.issue())
                    .body(json!({"relation": {"issue_to_id": 987_654, "relation_type": "relates"}}))
            }),
        ),
        row(
            "getIssueRelation",
            ([200; 4], |records| {
                on("issue_relation_id", records.relation())
            }),
            ([404; 4], |_| on("issue_relation_id", MISSING)),
        ),
        row(
            "deleteIssueRelation",
            ([204, 204, 403, 401], |records| {
                on("issue_relation_id", records.relation())
            }),
            ([404; 4], |_| on("issue_relation_id", MISSING)),
        ),
    ]
}
