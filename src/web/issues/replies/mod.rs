//! Saved replies: those of a user (`/my/replies`), and those of a project
//! (`/projects/:id/settings/replies`).

mod fields;
mod project;
mod user;

use quarry_http::Routes;

/// Returns the routes of saved replies.
pub fn routes() -> Routes {
    user::routes().merge(project::routes())
}
