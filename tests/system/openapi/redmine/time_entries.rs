//! `/time_entries`, also below projects and issues

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn time_entries_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getTimeEntries",
            ([200; 4], |records| {
                records.time_entry();
                call().query("sort=hours&issue_id=*")
            }),
            ([422; 4], |_| call().query("hours=many")),
        ),
        row(
            "createTimeEntry",
            ([201, 201, 403, 401], |records| {
                let custom = json!([{"id": 11, "value": "x"}]);
                call().body(json!({"time_entry": {"issue_id": records.issue(), "hours": 1.5, "activity_id": 8, "custom_fields": custom}}))
            }),
            ([422, 422, 403, 401], |records| {
                call().body(json!({"time_entry": {"issue_id": records.issue(), "hours": "many"}}))
            }),
        ),
        row(
            "getTimeEntry",
            ([200; 4], |records| {
                on("time_entry_id", records.time_entry())
            }),
            ([404; 4], |_| on("time_entry_id", MISSING)),
        ),
        row(
            "updateTimeEntry",
            ([204, 204, 403, 401], |records| {
                on("time_entry_id", records.time_entry())
                    .body(json!({"time_entry": {"comments": "Better"}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("time_entry_id", records.time_entry()).body(json!({"time_entry": {"hours": ""}}))
            }),
        ),
        row(
            "deleteTimeEntry",
            ([204, 204, 403, 401], |records| {
                on("time_entry_id", records.time_entry())
            }),
            ([404; 4], |_| on("time_entry_id", MISSING)),
        ),
        row(
            "getTimeEntriesByProject",
            ([200; 4], |records| {
                records.time_entry();
                on("project_id", "open")
            }),
            ([422; 4], |_| on("project_id", "open").query("hours=many")),
        ),
        row(
            "createTimeEntryUnderProject",
            ([201, 201, 403, 401], |_| {
                on("project_id", "open").body(json!({"time_entry": {"hours": 1, "activity_id": 8}}))
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open")
                    .body(json!({"time_entry": {"hours": -1, "activity_id": 987_654}}))
            }),
        ),
        row(
            "createTimeEntryUnderIssue",
            ([201, 201, 403, 401], |records| {
                on("issue_id", records.issue())
                    .body(json!({"time_entry": {"hours": 1, "activity_id": 8}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("issue_id", records.issue())
                    .body(json!({"time_entry": {"hours": 1, "spent_on": "never"}}))
            }),
        ),
    ]
}
