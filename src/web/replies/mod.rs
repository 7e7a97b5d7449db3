//! Saved replies: those of a user (`/my/replies`), and those of a project
//! (`/projects/:id/settings/replies`).

mod fields;
mod own;
mod project;

use quarry_http::Routes;

/// Returns the routes of saved replies.
pub fn routes() -> Routes {
    own::routes().merge(project::routes())
}
