//! `/issues`, `/projects/:id/issues`

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn issues_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getIssues",
            ([200; 4], |_| call().query("include=attachments,relations&status_id=*&sort=id&cf_1=*")),
            ([422; 4], |_| call().query("created_on=last_week")),
        )
        .also(200, |records| call().query(&format!("include=attachments,relations&status_id=*&issue_id={}", records.complete_issue())))
        .also(404, |_| call().query("project_id=nothing")),
        row(
            "createIssue",
            ([201, 201, 201, 401], |_| {
                call().body(json!({"issue": {"project_id": 1, "subject": "New", "description": "Text", "done_ratio": 50}}))
            }),
            ([422, 422, 422, 401], |_| call().body(json!({"issue": {"project_id": "open", "subject": "", "due_date": "never"}}))),
        )
        .also(201, |records| call().body(records.issue_with_everything())),
        row(
            "getIssue",
            ([200; 4], |records| on("issue_id", records.complete_issue()).query(EVERYTHING)),
            ([404; 4], |_| on("issue_id", MISSING)),
        ),
        row(
            "updateIssue",
            // Who may only add notes adds the note; the rest is ignored.
            ([204, 204, 204, 401], |records| {
                on("issue_id", records.issue()).body(json!({"issue": {"subject": "Changed", "notes": "Why"}}))
            }),
            ([422, 422, 204, 401], |records| on("issue_id", records.issue()).body(json!({"issue": {"subject": ""}}))),
        ),
        row("deleteIssue", ([204, 204, 403, 401], |records| on("issue_id", records.issue())), ([404; 4], |_| on("issue_id", MISSING))),
        row(
            "getIssuesByProject",
            ([200; 4], |_| on("project_id", "open").query("include=attachments,relations&status_id=*")),
            ([422; 4], |_| on("project_id", 1).query("start_date=never")),
        )
        .also(200, |records| {
            let query = format!("include=attachments,relations&status_id=*&issue_id={}", records.complete_issue());
            on("project_id", "open").query(&query)
        }),
        row(
            "createIssueUnderProject",
            ([201, 201, 201, 401], |_| on("project_id", "open").body(json!({"issue": {"subject": "New"}}))),
            ([422, 422, 422, 401], |_| on("project_id", "open").body(json!({"issue": {"subject": "New", "estimated_hours": -1}}))),
        ),
    ]
}

/// Every include of an issue.
const EVERYTHING: &str =
    "include=children,attachments,relations,changesets,journals,watchers,allowed_statuses";
