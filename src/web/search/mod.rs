//! The search page: `GET /search`, `GET /projects/:id/search` (docs/search.md, docs/pages.md).
//!
//! Its query string is that of the API, so that the same address with `.json` has the same results.
//! `query_id` names the saved search from which it comes; alone, it redirects to what that says.
//! Invariant: every count that it shows, of results, tabs, facets and links to other searches, is
//! the total of the search to which the link leads.

mod address;
mod alternatives;
pub(crate) mod completions;
mod facets;
mod feed;
mod form;
mod hits;
mod people;
mod results;
mod saved;
mod show;
mod topics;

pub use saved::requested;

use axum::routing::get;
use quarry_http::{Routes, search_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects/{id}/search", get(search_handler(show::show)))
        .route(
            "/projects/{id}/search.atom",
            get(search_handler(feed::atom)),
        )
        .route("/search", get(search_handler(show::show)))
        .route("/search.atom", get(search_handler(feed::atom)))
}
