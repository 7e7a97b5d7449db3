//! The pages a person sees.
//!
//! Templates are HTML files that are checked when the program is built; there is one stylesheet and no script. Invariant: a page
//! shows what the REST API would tell the same person, and nothing is put into a page unescaped but what `search` has escaped.
//! May import everything above `api` in the table of rooms.

mod home;
mod issue;
mod search;

use crate::http::{Error, Reply, Routes, pages, reading, searching};
use askama::Template;
use axum::http::header;
use axum::routing::get;

/// Every page, and the stylesheet.
pub fn routes() -> Routes {
    let html = Routes::new()
        .route("/", get(reading(home::show)))
        .route("/issues/{id}", get(reading(issue::show)))
        .route("/projects/{id}/search", get(searching(search::show)))
        .route("/search", get(searching(search::show)));
    pages(html).route("/style.css", get(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("style.css"))))
}

fn page(template: &impl Template) -> Result<Reply, Error> {
    template.render().map(Reply::page).map_err(|error| Error::Broken(error.to_string()))
}
