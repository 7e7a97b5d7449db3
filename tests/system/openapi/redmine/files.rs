//! `/projects/:id/files`

use super::call::on;
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn files_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getFiles",
            ([200; 4], |records| {
                records.file();
                on("project_id", "open")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "createFile",
            ([204, 204, 403, 401], |records| {
                on("project_id", "open")
                    .body(json!({"file": {"token": records.token(), "version_id": records.version(), "description": "d"}}))
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open").body(json!({"file": {"token": "1.unknown"}}))
            }),
        ),
    ]
}
