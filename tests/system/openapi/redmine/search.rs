//! `/search`, `/projects/:id/search`

use super::call::{call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;

#[test]
fn searches_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getSearch",
            ([200; 4], |records| {
                records.news();
                records.wiki_page();
                records.issue();
                call().query(
                    "q=thing happened start open&all_words=0"
                        .replace(' ', "%20")
                        .as_str(),
                )
            }),
            ([200; 4], |_| call().query("q=&limit=nothing")),
        )
        .also(422, |_| {
            call().query(&format!("q={}", "word%20".repeat(2000)))
        }),
        row(
            "getSearchByProject",
            ([200; 4], |records| {
                records.issue();
                on("project_id", "open").query("q=thing&titles_only=1&issues=1")
            }),
            ([404; 4], |_| on("project_id", "nothing").query("q=thing")),
        ),
    ]
}
