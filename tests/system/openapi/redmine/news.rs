//! `/news`, `/projects/:id/news`

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn news_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getNewsList",
            ([200; 4], |records| {
                records.news();
                call()
            }),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getNews",
            ([200; 4], |records| {
                on("news_id", records.news()).query("include=attachments,comments")
            }),
            ([404; 4], |_| on("news_id", MISSING)),
        ),
        row(
            "updateNews",
            ([204, 204, 403, 401], |records| {
                on("news_id", records.news()).body(json!({"news": {"title": "Changed"}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("news_id", records.news()).body(json!({"news": {"title": ""}}))
            }),
        ),
        row(
            "deleteNews",
            ([204, 204, 403, 401], |records| {
                on("news_id", records.news())
            }),
            ([404; 4], |_| on("news_id", MISSING)),
        ),
        row(
            "getNewsListByProject",
            ([200; 4], |records| {
                records.news();
                on("project_id", "open")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "createNews",
            ([204, 204, 403, 401], |_| {
                on("project_id", "open").body(
                    json!({"news": {"title": "New", "summary": "Short", "description": "Long"}}),
                )
            }),
            ([422, 422, 403, 401], |_| {
                on("project_id", "open").body(json!({"news": {"title": "", "description": ""}}))
            }),
        ),
    ]
}
