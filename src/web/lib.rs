//! The pages that people see.
//!
//! One file or folder per resource, with its routes, as in `api`; a handler loads what the page shows
//! into a typed view model and renders one template beside it. The frame around every page is in
//! `frame` and `layout.html`, its parts in `components`. Invariant: a page shows what the REST API
//! would return to the same viewer, works without the script, and has no unescaped text but what
//! `search` and `markup` have escaped. May import: the modules that `api` may import.

mod access;
mod activity;
mod admin;
mod assets;
mod attachments;
mod boards;
mod categories;
mod changesets;
mod choices;
mod completions;
mod components;
mod content_pages;
mod cookies;
pub mod csv;
mod custom_field_definitions;
mod custom_fields;
mod deletions;
mod documents;
mod enumerations;
mod error_pages;
mod files;
mod form;
mod form_merge;
mod frame;
mod groups;
mod home;
mod inbox;
mod invitations;
mod issue_statuses;
mod issue_templates;
mod issues;
mod journals;
mod local_path;
mod lost_password;
mod mail_handler;
mod memberships;
mod my;
mod news;
mod oauth;
mod openapi;
mod original_mail;
mod permission_labels;
mod prelude;
mod preview;
mod project_choices;
mod projects;
mod queries;
mod reactions;
mod received_files;
mod recent_issues;
mod record_area;
mod record_pages;
mod record_routes;
mod redmine_addresses;
mod registration;
mod render;
mod replies;
mod repositories;
mod roles;
mod search;
mod sessions;
mod settings;
mod setup;
#[cfg(debug_assertions)]
mod styleguide;
mod text;
mod theme;
mod time_entries;
mod totp_key;
mod trackers;
mod unsubscribe;
mod users;
mod versions;
mod watch;
mod wiki;
mod workflows;

pub use error_pages::with_pages;

use quarry_http::{Routes, pages};

/// Returns the routes of all pages and static files.
pub fn routes() -> Routes {
    let html = Routes::new()
        .merge(activity::routes())
        .merge(admin::routes())
        .merge(attachments::routes())
        .merge(boards::routes())
        .merge(categories::routes())
        .merge(changesets::routes())
        .merge(completions::routes())
        .merge(custom_field_definitions::routes())
        .merge(documents::routes())
        .merge(enumerations::routes())
        .merge(files::routes())
        .merge(groups::routes())
        .merge(home::routes())
        .merge(inbox::routes())
        .merge(invitations::routes())
        .merge(issue_statuses::routes())
        .merge(issue_templates::routes())
        .merge(issues::routes())
        .merge(journals::routes())
        .merge(lost_password::routes())
        .merge(mail_handler::routes())
        .merge(memberships::routes())
        .merge(my::routes())
        .merge(news::routes())
        .merge(oauth::routes())
        .merge(openapi::routes())
        .merge(original_mail::routes())
        .merge(preview::routes())
        .merge(projects::routes())
        .merge(queries::routes())
        .merge(reactions::routes())
        .merge(redmine_addresses::routes())
        .merge(registration::routes())
        .merge(replies::routes())
        .merge(repositories::routes())
        .merge(roles::routes())
        .merge(search::routes())
        .merge(sessions::routes())
        .merge(settings::routes())
        .merge(setup::routes())
        .merge(theme::routes())
        .merge(time_entries::routes())
        .merge(trackers::routes())
        .merge(unsubscribe::routes())
        .merge(users::routes())
        .merge(versions::routes())
        .merge(watch::routes())
        .merge(wiki::routes())
        .merge(workflows::routes());
    #[cfg(debug_assertions)]
    let html = html.merge(styleguide::routes());
    pages(html).merge(assets::routes())
}
