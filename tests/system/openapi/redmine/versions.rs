//! `/projects/:id/versions`, `/versions/:id`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn versions_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getVersionsByProject",
            ([200; 4], |records| {
                records.version();
                on("project_id", "open")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "createVersion",
            ([201, 201, 403, 401], |records| {
                on("project_id", "open").body(json!({"version": {
                    "name": records.name("new"), "status": "locked", "sharing": "tree", "due_date": "2026-12-24", "description": "Text",
                    "wiki_page_title": "Wiki", "custom_fields": [{"id": 5, "value": "x"}, {"id": 6, "value": ["a", "b"]}],
                }}))
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open").body(json!({"version": {"name": "", "status": "lost"}}))
            }),
        ),
        row(
            "getVersion",
            ([200; 4], |records| on("version_id", records.version())),
            ([404; 4], |_| on("version_id", MISSING)),
        ),
        row(
            "updateVersion",
            ([204, 204, 403, 401], |records| {
                on("version_id", records.version()).body(json!({"version": {"status": "closed"}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("version_id", records.version()).body(json!({"version": {"due_date": "never"}}))
            }),
        ),
        row(
            "deleteVersion",
            ([204, 204, 403, 401], |records| {
                on("version_id", records.version())
            }),
            ([422, 422, 403, 401], |records| {
                on("version_id", records.version_in_use())
            }),
        ),
    ]
}
