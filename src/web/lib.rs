//! The pages that people see.
//!
//! One file or folder per resource, with its routes, in the families of `domain`. A handler loads
//! what the page shows into a typed view model and renders one template next to it. The frame around
//! every page is in `frame` and `layout.html`, its parts are in `components`, and what the pages of
//! many kinds of records share is in `records`. Invariant: a page shows what the REST API would
//! return to the same viewer, works without the script, and has no unescaped text but what `search`
//! and `markup` have escaped. May import: the modules that `api` may import.

mod access;
mod accounts;
mod administration;
mod assets;
mod components;
mod content;
pub mod csv;
mod form;
mod frame;
mod home;
mod issues;
mod manifest;
mod notices;
mod openapi;
mod palette;
mod prelude;
mod preview;
mod projects;
mod queries;
mod records;
mod redmine_addresses;
mod search;
#[cfg(debug_assertions)]
mod styleguide;
mod text;
mod theme;

pub use frame::error_pages::with_pages;

use quarry_http::{Routes, pages};

/// Returns the routes of all pages and static files.
pub fn routes() -> Routes {
    let html = Routes::new()
        .merge(accounts::routes())
        .merge(administration::routes())
        .merge(content::routes())
        .merge(home::routes())
        .merge(issues::issue_templates::routes())
        .merge(issues::replies::routes())
        .merge(issues::routes())
        .merge(issues::time_entries::routes())
        .merge(manifest::routes())
        .merge(notices::routes())
        .merge(openapi::routes())
        .merge(palette::routes())
        .merge(preview::routes())
        .merge(projects::categories::routes())
        .merge(projects::changesets::routes())
        .merge(projects::repositories::routes())
        .merge(projects::routes())
        .merge(projects::versions::routes())
        .merge(queries::routes())
        .merge(redmine_addresses::routes())
        .merge(search::completions::routes())
        .merge(search::routes())
        .merge(theme::routes());
    #[cfg(debug_assertions)]
    let html = html.merge(styleguide::routes());
    pages(html).merge(assets::routes())
}
