//! The inbox: what a person was told of, by thread, and what they do with it.
//!
//! Invariant: pages show and count only what `actions::inbox` returns, which is what the viewer may
//! see now.

mod entries;
mod opened;
mod show;
mod update;
mod why;

pub use opened::mark_opened;
pub use why::WhyLine;

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/my/inbox",
            get(read_handler(show::show)).post(write_handler(update::update_several)),
        )
        .route("/my/inbox/{type}/{id}", post(write_handler(update::update)))
}
