//! Versions of projects: the roadmap, the page of a version, and the settings of a project that manage them.

use crate::prelude::*;

mod burn_up;
mod completed;
mod ical;
mod roadmap;
mod settings;
mod show;
mod summary;

/// Returns the routes.
pub fn routes() -> Routes {
    settings::routes()
        .route(
            "/projects/{id}/roadmap",
            get(read_handler(roadmap::roadmap)),
        )
        .route("/versions/{id}", get(read_handler(show::show)))
        .route("/projects/{id}/roadmap.ics", get(read_handler(ical::ics)))
        .route(
            "/projects/{id}/versions/close_completed",
            get(read_handler(completed::confirm)).post(write_handler(completed::close)),
        )
}
