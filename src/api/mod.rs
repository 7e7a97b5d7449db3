//! The REST API: one folder per resource, one file per verb. This page is the route table.
//!
//! Paths stand here without their suffix, which `http` takes off before routing. Invariant: an address answers in JSON and XML
//! alike. May import everything above it in the table of rooms; a resource sees of another one only its `view`.

mod attachments;
mod custom_fields;
mod enumerations;
mod groups;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod my;
mod news;
mod projects;
mod queries;
mod relations;
mod roles;
mod search;
mod time_entries;
mod trackers;
mod uploads;
mod users;
mod watchers;
mod wiki;

use crate::http::{Routes, changing, reading, receiving, searching};
use axum::routing::{delete, get, post, put};

/// Every address of the REST API.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/attachments/{id}",
            get(reading(attachments::show))
                .put(changing(attachments::update))
                .patch(changing(attachments::update))
                .delete(changing(attachments::delete)),
        )
        .route("/attachments/download/{id}", get(reading(attachments::download)))
        .route("/attachments/download/{id}/{filename}", get(reading(attachments::download)))
        .route("/attachments/thumbnail/{id}", get(reading(attachments::thumbnail)))
        .route("/attachments/thumbnail/{id}/{size}", get(reading(attachments::thumbnail)))
        .route("/custom_fields", get(reading(custom_fields::list)))
        .route("/enumerations/{id}", get(reading(enumerations::list)))
        .route("/groups", get(reading(groups::list)))
        .route("/groups/{id}", get(reading(groups::show)))
        .route("/issue_statuses", get(reading(issue_statuses::list)))
        .route("/issues", get(reading(issues::list)).post(changing(issues::create)).delete(changing(issues::delete_several)))
        .route(
            "/issues/{id}",
            get(reading(issues::show)).put(changing(issues::update)).patch(changing(issues::update)).delete(changing(issues::delete)),
        )
        .route("/issues/similar", post(searching(issues::similar_to_draft)))
        .route("/issues/{id}/similar", get(searching(issues::similar)))
        .route("/issues/{id}/relations", get(reading(relations::list)).post(changing(relations::create)))
        .route("/issues/{id}/time_entries", post(changing(time_entries::create_on_issue)))
        .route("/issues/{id}/watchers", post(changing(watchers::create)))
        .route("/issues/{id}/watchers/{user_id}", delete(changing(watchers::delete)))
        .route(
            "/issue_categories/{id}",
            get(reading(issue_categories::show))
                .put(changing(issue_categories::update))
                .patch(changing(issue_categories::update))
                .delete(changing(issue_categories::delete)),
        )
        .route("/journals/{id}", put(changing(journals::update)).patch(changing(journals::update)))
        .route("/my/account", get(reading(my::show)).put(changing(my::update)).patch(changing(my::update)))
        .route("/news", get(reading(news::list)))
        .route("/news/{id}", get(reading(news::show)))
        .route("/projects", get(reading(projects::list)).post(changing(projects::create)))
        .route(
            "/projects/{id}",
            get(reading(projects::show))
                .put(changing(projects::update))
                .patch(changing(projects::update))
                .delete(changing(projects::delete)),
        )
        .route("/projects/{id}/archive", put(changing(projects::archive)).post(changing(projects::archive)))
        .route("/projects/{id}/unarchive", put(changing(projects::unarchive)).post(changing(projects::unarchive)))
        .route("/projects/{id}/close", put(changing(projects::close)).post(changing(projects::close)))
        .route("/projects/{id}/reopen", put(changing(projects::reopen)).post(changing(projects::reopen)))
        .route("/projects/{id}/issue_categories", get(reading(issue_categories::list)).post(changing(issue_categories::create)))
        .route("/projects/{id}/issues", get(reading(issues::list)).post(changing(issues::create)))
        .route("/projects/{id}/news", get(reading(news::list)))
        .route("/projects/{id}/search", get(searching(search::list)))
        .route("/projects/{id}/time_entries", get(reading(time_entries::list)).post(changing(time_entries::create)))
        .route("/projects/{id}/wiki", get(reading(wiki::show)))
        .route(
            "/projects/{id}/wiki/index",
            get(reading(wiki::list)).put(changing(wiki::update)).patch(changing(wiki::update)).delete(changing(wiki::delete)),
        )
        .route(
            "/projects/{id}/wiki/{title}",
            get(reading(wiki::show)).put(changing(wiki::update)).patch(changing(wiki::update)).delete(changing(wiki::delete)),
        )
        .route("/projects/{id}/wiki/{title}/{version}", get(reading(wiki::show)).delete(changing(wiki::delete_version)))
        .route("/queries", get(reading(queries::list)))
        .route("/relations/{id}", get(reading(relations::show)).delete(changing(relations::delete)))
        .route("/roles", get(reading(roles::list)))
        .route("/roles/{id}", get(reading(roles::show)))
        .route("/search", get(searching(search::list)))
        .route("/search/suggest", get(searching(search::suggest)))
        .route("/time_entries", get(reading(time_entries::list)).post(changing(time_entries::create)))
        .route(
            "/time_entries/{id}",
            get(reading(time_entries::show))
                .put(changing(time_entries::update))
                .patch(changing(time_entries::update))
                .delete(changing(time_entries::delete)),
        )
        .route("/trackers", get(reading(trackers::list)))
        .route("/uploads", post(receiving(uploads::judge, uploads::create)))
        .route("/users", get(reading(users::list)))
        .route("/users/current", get(reading(users::current)))
        .route("/users/{id}", get(reading(users::show)))
}
