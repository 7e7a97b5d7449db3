//! `/uploads`

use super::call::call;
use super::matrix::{Row, row, run};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use serde_json::json;

#[test]
fn uploads_respond_as_described() {
    let world = World::with_projects();
    world.set(Setting::AttachmentMaxSize, "1");
    run(&world, &rows());
}

/// The type of the contents of files.
const BYTES: &str = "application/octet-stream";

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "uploadAttachmentFile",
            ([201, 201, 201, 401], |_| {
                call().query("filename=a.txt").bytes(BYTES, b"content")
            }),
            ([406, 406, 406, 401], |_| {
                call().query("filename=a.txt").body(json!({"upload": {}}))
            }),
        )
        .also(422, |_| {
            call().query("filename=a.txt").bytes(BYTES, &[b'x'; 2048])
        }),
    ]
}
