//! The REST API: one file per resource, a folder where that would be long. Each has its routes.
//!
//! Invariant: every route responds in JSON and in XML, except `/openapi`, which is always JSON. May
//! import everything above it in the table of modules; a resource imports only the `view` of
//! another one.

mod admin_routes;
mod attachments;
mod boards;
mod custom_fields;
mod documents;
mod email_addresses;
mod enumerations;
mod files;
mod groups;
mod inbox;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod memberships;
mod messages;
mod my;
mod news;
mod openapi;
mod prelude;
mod projects;
mod queries;
mod reactions;
mod relations;
mod repositories;
mod revisions;
mod roles;
mod search;
mod search_completions;
mod settings;
mod time_entries;
mod trackers;
mod uploads;
mod user_permissions;
mod users;
mod versions;
mod watchers;
mod wiki;
mod workflows;

use quarry_http::Routes;

/// Returns all routes of the REST API. Paths have no suffix: `http` removes it before routing.
pub fn routes() -> Routes {
    Routes::new()
        .merge(attachments::routes())
        .merge(boards::routes())
        .merge(custom_fields::routes())
        .merge(documents::routes())
        .merge(email_addresses::routes())
        .merge(enumerations::routes())
        .merge(files::routes())
        .merge(groups::routes())
        .merge(inbox::routes())
        .merge(issue_categories::routes())
        .merge(issue_statuses::routes())
        .merge(issues::routes())
        .merge(journals::routes())
        .merge(memberships::routes())
        .merge(messages::routes())
        .merge(my::routes())
        .merge(news::routes())
        .merge(openapi::routes())
        .merge(projects::routes())
        .merge(queries::routes())
        .merge(reactions::routes())
        .merge(relations::routes())
        .merge(repositories::routes())
        .merge(revisions::routes())
        .merge(roles::routes())
        .merge(search::routes())
        .merge(search_completions::routes())
        .merge(settings::routes())
        .merge(time_entries::routes())
        .merge(trackers::routes())
        .merge(uploads::routes())
        .merge(user_permissions::routes())
        .merge(users::routes())
        .merge(versions::routes())
        .merge(watchers::routes())
        .merge(wiki::routes())
        .merge(workflows::routes())
}
