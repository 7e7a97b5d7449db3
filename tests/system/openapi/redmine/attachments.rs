//! `/attachments`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn attachments_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getAttachment",
            ([200; 4], |records| {
                on("attachment_id", records.attachment().0)
            }),
            ([404; 4], |_| on("attachment_id", MISSING)),
        ),
        row(
            "updateAttachment",
            ([204, 204, 403, 401], |records| {
                on("attachment_id", records.attachment().0)
                    .body(json!({"attachment": {"description": "Changed"}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("attachment_id", records.attachment().0)
                    .body(json!({"attachment": {"filename": ""}}))
            }),
        ),
        row(
            "deleteAttachment",
            ([204, 204, 403, 401], |records| {
                on("attachment_id", records.attachment().0)
            }),
            ([404; 4], |_| on("attachment_id", MISSING)),
        ),
        row(
            "downloadAttachmentFile",
            ([200; 4], |records| {
                let (id, name) = records.attachment();
                on("attachment_id", id).and("filename", name)
            }),
            ([404; 4], |records| {
                on("attachment_id", records.attachment().0).and("filename", "other.png")
            }),
        ),
        row(
            "downloadThumbnail",
            ([200; 4], |records| {
                on("attachment_id", records.attachment().0).query("size=200")
            }),
            ([404, 404, 404, 401], |_| on("attachment_id", MISSING)),
        ),
    ]
}
