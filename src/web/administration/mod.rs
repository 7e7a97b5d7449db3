//! What administrators define: fields, roles, trackers, workflows and settings, and the state of the service.

mod admin;
mod custom_field_definitions;
mod enumerations;
mod issue_statuses;
pub(crate) mod permission_labels;
mod project_choices;
mod roles;
pub(crate) mod settings;
mod setup;
mod trackers;
mod workflows;

use quarry_http::Routes;

/// Returns the routes of all pages of this family.
pub fn routes() -> Routes {
    Routes::new()
        .merge(admin::routes())
        .merge(custom_field_definitions::routes())
        .merge(enumerations::routes())
        .merge(issue_statuses::routes())
        .merge(roles::routes())
        .merge(settings::routes())
        .merge(setup::routes())
        .merge(trackers::routes())
        .merge(workflows::routes())
}
