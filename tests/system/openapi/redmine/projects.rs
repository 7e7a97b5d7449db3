//! `/projects`

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn projects_respond_as_described() {
    run(&World::with_projects(), &rows());
}

/// Every include of a project.
const EVERYTHING: &str =
    "include=trackers,issue_categories,time_entry_activities,enabled_modules,issue_custom_fields";

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getProjects",
            ([200; 4], |records| {
                records.complete_project();
                call().query(EVERYTHING)
            }),
            ([200; 4], |_| {
                call().query("limit=nothing&offset=-1&include=nothing")
            }),
        )
        .also(422, |_| call().query("created_on=last_week")),
        row(
            "createProject",
            ([201, 201, 403, 401], |records| {
                let name = records.name("new");
                call().body(json!({"project": {
                    "name": name, "identifier": name, "description": "Text", "homepage": "http://example.net", "is_public": false,
                    "parent_id": 1, "inherit_members": true, "tracker_ids": [1], "enabled_module_names": ["issue_tracking"],
                    "custom_fields": [{"id": 3, "value": "x"}],
                }}))
            }),
            ([422, 422, 403, 401], |_| {
                call().body(json!({"project": {"name": "", "identifier": "Not Valid"}}))
            }),
        ),
        row(
            "getProject",
            ([200; 4], |records| {
                on("project_id", records.complete_project()).query(EVERYTHING)
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "updateProject",
            ([204, 204, 403, 401], |records| {
                on("project_id", records.project()).body(json!({"project": {"name": "Changed"}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("project_id", records.project()).body(json!({"project": {"name": ""}}))
            }),
        ),
        row(
            "deleteProject",
            ([204, 204, 403, 401], |records| {
                on("project_id", records.project())
            }),
            ([404; 4], |_| on("project_id", MISSING)),
        ),
        row(
            "archiveProject",
            ([204, 403, 403, 401], |records| {
                on("project_id", records.project())
            }),
            ([422, 403, 403, 401], |records| {
                on("project_id", records.project_with_version_in_use())
            }),
        ),
        row(
            "unarchiveProject",
            ([204, 403, 403, 401], |records| {
                on("project_id", records.project())
            }),
            ([404; 4], |_| on("project_id", MISSING)),
        ),
        row(
            "closeProject",
            ([204, 204, 403, 401], |records| {
                on("project_id", records.project())
            }),
            ([404; 4], |_| on("project_id", MISSING)),
        ),
        row(
            "reopenProject",
            ([204, 204, 403, 401], |records| {
                on("project_id", records.project())
            }),
            ([404; 4], |_| on("project_id", MISSING)),
        ),
    ]
}
