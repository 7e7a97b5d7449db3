//! Pages of the activity: what happened everywhere, in a project, or by one person.

use crate::prelude::*;

mod events;
mod feed;
mod latest;
mod params;
mod show;

pub use events::excerpt;
pub use latest::{LatestEvent, latest};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/activity", get(read_handler(show::show)))
        .route("/activity.atom", get(read_handler(feed::atom)))
        .route("/projects/{id}/activity", get(read_handler(show::show)))
        .route(
            "/projects/{id}/activity.atom",
            get(read_handler(feed::atom)),
        )
}
