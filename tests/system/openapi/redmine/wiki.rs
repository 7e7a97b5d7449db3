//! `/projects/:id/wiki`

use super::call::on;
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn wiki_pages_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getWikiPages",
            ([200; 4], |records| {
                records.wiki_page();
                on("project_id", "open")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "getWikiPage",
            ([200; 4], |records| {
                on("project_id", "open")
                    .and("wiki_page_title", records.wiki_page())
                    .query("include=attachments")
            }),
            ([404; 4], |_| {
                on("project_id", "open").and("wiki_page_title", "Nothing")
            }),
        ),
        row(
            "updateWikiPage",
            ([204, 204, 403, 401], |records| {
                on("project_id", "open")
                    .and("wiki_page_title", records.wiki_page())
                    .body(json!({"wiki_page": {"text": "New", "version": 2}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("project_id", "open")
                    .and("wiki_page_title", records.wiki_page())
                    .body(json!({"wiki_page": {"text": ""}}))
            }),
        )
        .also(201, |records| {
            on("project_id", "open")
                .and("wiki_page_title", records.name("New"))
                .body(json!({"wiki_page": {"text": "New", "comments": "First"}}))
        })
        .also(409, |records| {
            on("project_id", "open")
                .and("wiki_page_title", records.wiki_page())
                .body(json!({"wiki_page": {"text": "New", "version": 1}}))
        }),
        row(
            "deleteWikiPage",
            ([204, 204, 403, 401], |records| {
                on("project_id", "open").and("wiki_page_title", records.wiki_page())
            }),
            ([404, 404, 403, 401], |_| {
                on("project_id", "open").and("wiki_page_title", "Nothing")
            }),
        ),
        row(
            "getWikiPageByVersion",
            ([200; 4], |records| {
                on("project_id", "open")
                    .and("wiki_page_title", records.wiki_page())
                    .and("version_id", 1)
                    .query("include=attachments")
            }),
            ([404; 4], |records| {
                on("project_id", "open")
                    .and("wiki_page_title", records.wiki_page())
                    .and("version_id", 9)
            }),
        ),
    ]
}
