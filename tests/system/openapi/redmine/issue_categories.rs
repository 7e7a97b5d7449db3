//! `/projects/:id/issue_categories`, `/issue_categories/:id`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn issue_categories_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getIssueCategories",
            ([200, 200, 403, 401], |records| {
                records.category();
                on("project_id", "open")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "createIssueCategory",
            ([201, 201, 403, 401], |records| {
                on("project_id", "open").body(
                    json!({"issue_category": {"name": records.name("new"), "assigned_to_id": 2}}),
                )
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open").body(json!({"issue_category": {"name": ""}}))
            }),
        ),
        row(
            "getIssueCategory",
            ([200, 200, 403, 401], |records| {
                on("issue_category_id", records.category())
            }),
            ([404; 4], |_| on("issue_category_id", MISSING)),
        ),
        row(
            "updateIssueCategory",
            ([204, 204, 403, 401], |records| {
                on("issue_category_id", records.category())
                    .body(json!({"issue_category": {"name": records.name("changed")}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("issue_category_id", records.category())
                    .body(json!({"issue_category": {"name": ""}}))
            }),
        ),
        row(
            "deleteIssueCategory",
            ([204, 204, 403, 401], |records| {
                on("issue_category_id", records.category())
                    .query(&format!("reassign_to_id={}", records.category()))
            }),
            ([404; 4], |_| on("issue_category_id", MISSING)),
        ),
    ]
}
