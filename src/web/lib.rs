//! The pages that people see.
//!
//! One file or folder per resource, as in `api`; a handler loads what the page shows into a typed view
//! model and renders one template beside it. The frame around every page is in `frame` and
//! `layout.html`, its parts in `components`. Invariant: a page shows what the REST API would return
//! to the same viewer, works without the script, and has no unescaped text but what `search` and
//! `markup` have escaped. May import: the modules that `api` may import.

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
mod preview;
mod project_choices;
mod projects;
mod queries;
mod reactions;
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

use axum::routing::{get, post};
use quarry_http::{Routes, pages, read_handler, search_handler, write_handler};

/// Returns the routes of all pages and static files.
pub fn routes() -> Routes {
    let html = Routes::new()
        .route("/", get(read_handler(home::show)))
        .route("/activity", get(read_handler(activity::show)))
        .route("/activity.atom", get(read_handler(activity::atom)))
        .route("/attachments/{id}", get(read_handler(attachments::show)))
        .route("/boards/{id}", get(read_handler(boards::topics)))
        .route("/boards/{id}/watch", post(write_handler(watch::board)))
        .route(
            "/boards/{board}/topics/{id}",
            get(read_handler(boards::show)),
        )
        .route(
            "/boards/{board}/topics/{id}/watch",
            post(write_handler(watch::topic)),
        )
        .route("/completions", get(search_handler(completions::show)))
        .route("/documents/{id}", get(read_handler(documents::show)))
        .route("/issues", get(read_handler(issues::list)))
        .route("/issues.atom", get(read_handler(issues::atom)))
        .route("/issues.csv", get(read_handler(issues::csv)))
        .route(
            "/issues/new",
            get(read_handler(issues::new)).post(write_handler(issues::create)),
        )
        .route(
            "/issues/{id}",
            get(read_handler(issues::show)).post(write_handler(issues::update)),
        )
        .route("/issues/{id}/edit", get(read_handler(issues::edit)))
        .route(
            "/issues/{id}/mail",
            get(read_handler(original_mail::show_issue)),
        )
        .route(
            "/issues/{id}/reactions",
            post(write_handler(reactions::issue)),
        )
        .route("/issues/{id}/watch", post(write_handler(watch::issue)))
        .route(
            "/journals/{id}/edit",
            get(read_handler(journals::edit)).post(write_handler(journals::update)),
        )
        .route(
            "/journals/{id}/mail",
            get(read_handler(original_mail::show_note)),
        )
        .route(
            "/journals/{id}/reactions",
            post(write_handler(reactions::journal)),
        )
        .route(
            "/messages/{id}/mail",
            get(read_handler(original_mail::show_message)),
        )
        .route(
            "/messages/{id}/reactions",
            post(write_handler(reactions::message)),
        )
        .route("/news", get(read_handler(news::list)))
        .route("/news/{id}", get(read_handler(news::show)))
        .route("/news/{id}/reactions", post(write_handler(reactions::news)))
        .route(
            "/news/{id}/comments/{comment_id}/reactions",
            post(write_handler(reactions::comment)),
        )
        .route("/news/{id}/watch", post(write_handler(watch::news)))
        .route("/openapi", get(read_handler(openapi::show).open()))
        .route("/preview", post(read_handler(preview::show)))
        .route("/projects", get(read_handler(projects::list)))
        .route(
            "/projects/new",
            get(read_handler(projects::new)).post(write_handler(projects::create)),
        )
        .route("/projects/{id}", get(read_handler(projects::show)))
        .route("/projects/{id}/activity", get(read_handler(activity::show)))
        .route(
            "/projects/{id}/activity.atom",
            get(read_handler(activity::atom)),
        )
        .route(
            "/projects/{id}/bookmark",
            post(write_handler(projects::update_bookmark)),
        )
        .route("/projects/{id}/boards", get(read_handler(boards::list)))
        .route(
            "/projects/{id}/documents",
            get(read_handler(documents::list)),
        )
        .route("/projects/{id}/issues", get(read_handler(issues::list)))
        .route(
            "/projects/{id}/issues.atom",
            get(read_handler(issues::atom)),
        )
        .route("/projects/{id}/issues.csv", get(read_handler(issues::csv)))
        .route(
            "/projects/{id}/issues/new",
            get(read_handler(issues::new)).post(write_handler(issues::create)),
        )
        .route(
            "/projects/{id}/issues/new_address",
            post(write_handler(issues::renew_address)),
        )
        .route("/projects/{id}/news", get(read_handler(news::list)))
        .route(
            "/projects/{id}/news/watch",
            post(write_handler(watch::project_news)),
        )
        .route(
            "/queries/default",
            post(write_handler(queries::save_user_default)),
        )
        .route(
            "/projects/{id}/queries/default",
            post(write_handler(queries::save_project_default)),
        )
        .route(
            "/projects/{id}/queries",
            post(write_handler(queries::create)),
        )
        .route(
            "/projects/{id}/queries/new",
            get(read_handler(queries::new)),
        )
        .route(
            "/projects/{id}/settings/queries",
            get(read_handler(queries::list)),
        )
        .route(
            "/projects/{id}/settings/wiki",
            get(read_handler(wiki::edit_settings)).post(write_handler(wiki::update_settings)),
        )
        .route(
            "/projects/{id}/repository",
            get(read_handler(changesets::list)),
        )
        .route(
            "/projects/{id}/repository/revisions/{revision}",
            get(read_handler(changesets::show)),
        )
        .route(
            "/projects/{id}/repository/{repository}/revisions/{revision}",
            get(read_handler(changesets::show)),
        )
        .route("/projects/{id}/search", get(search_handler(search::show)))
        .route(
            "/projects/{id}/roadmap",
            get(read_handler(versions::roadmap)),
        )
        .route(
            "/projects/{id}/search.atom",
            get(search_handler(search::atom)),
        )
        .route("/queries", post(write_handler(queries::create)))
        .route("/queries/new", get(read_handler(queries::new)))
        .route("/queries/{id}", post(write_handler(queries::update)))
        .route(
            "/queries/{id}/edit",
            get(read_handler(queries::edit)).post(write_handler(queries::save_edit)),
        )
        .route(
            "/queries/{id}/delete",
            get(read_handler(queries::confirm)).post(write_handler(queries::delete).deleting()),
        )
        .route("/search", get(search_handler(search::show)))
        .route("/search.atom", get(search_handler(search::atom)))
        .merge(sessions::routes())
        .route("/versions/{id}", get(read_handler(versions::show)))
        .route(
            "/theme",
            post(read_handler(theme::update).open().during_setup()),
        );
    #[cfg(debug_assertions)]
    let html = html.route("/styleguide", get(read_handler(styleguide::show)));
    let html = html
        .merge(inbox::routes())
        .merge(issues::routes())
        .merge(my::routes())
        .merge(projects::settings_routes())
        .merge(redmine_addresses::routes())
        .merge(attachments::routes())
        .merge(boards::routes())
        .merge(documents::routes())
        .merge(files::routes())
        .merge(news::routes())
        .merge(categories::routes())
        .merge(lost_password::routes())
        .merge(registration::routes())
        .merge(repositories::routes())
        .merge(versions::routes())
        .merge(invitations::routes())
        .merge(mail_handler::routes())
        .merge(unsubscribe::routes())
        .merge(custom_field_definitions::routes())
        .merge(enumerations::routes())
        .merge(issue_statuses::routes())
        .merge(issue_templates::routes())
        .merge(replies::routes())
        .merge(trackers::routes())
        .merge(groups::routes())
        .merge(memberships::routes())
        .merge(roles::routes())
        .merge(time_entries::routes())
        .merge(users::routes())
        .merge(wiki::routes())
        .merge(workflows::routes())
        .merge(admin::routes())
        .merge(settings::routes())
        .merge(setup::routes())
        .merge(oauth::routes());
    pages(html).merge(assets::routes())
}
