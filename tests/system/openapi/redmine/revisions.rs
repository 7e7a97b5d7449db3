//! `/projects/:id/repository/:repository_id/revisions/:revision/issues`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use super::records::REVISION;
use quarry_world::World;
use serde_json::json;

#[test]
fn related_issues_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "addRelatedIssue",
            ([204, 204, 403, 401], |records| {
                on("project_id", "open")
                    .and("repository_id", "main")
                    .and("revision", REVISION)
                    .body(json!({"issue_id": records.issue()}))
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open")
                    .and("repository_id", "main")
                    .and("revision", REVISION)
                    .body(json!({"issue_id": 987_654}))
            }),
        ),
        row(
            "removeRelatedIssue",
            ([204, 204, 403, 401], |records| {
                on("project_id", "open")
                    .and("repository_id", "main")
                    .and("revision", REVISION)
                    .and("issue_id", records.issue())
            }),
            ([404, 404, 403, 401], |_| {
                on("project_id", "open")
                    .and("repository_id", "main")
                    .and("revision", "unknown1")
                    .and("issue_id", MISSING)
            }),
        ),
    ]
}
