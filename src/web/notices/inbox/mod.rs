//! The inbox: what a person was told of, by thread, and what they do with it.
//!
//! Invariant: pages show and count only what `actions::inbox` returns, which is what the viewer may
//! see now.

mod entries;
mod opened;
mod show;
mod update;
mod why;

pub use entries::EntryRow;
pub use opened::mark_opened;
pub use why::WhyLine;

use crate::prelude::*;
use axum::routing::post;
use quarry_actions::notices::inbox;
use quarry_actions::notices::inbox::{InboxFilter, InboxState};

/// Returns the first of the unread entries, at most `limit`; none for anonymous.
pub fn unread(
    request: &RequestContext,
    db: &Read<'_>,
    limit: usize,
) -> Result<Vec<EntryRow>, Error> {
    let filter = InboxFilter {
        state: InboxState::Unread,
        ..InboxFilter::default()
    };
    let mut entries = inbox::list(db, request.viewer(), &filter)?.entries;
    entries.truncate(limit);
    entries::rows(request, db, &entries)
}

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/my/inbox",
            get(read_handler(show::show)).post(write_handler(update::update_several)),
        )
        .route("/my/inbox/{type}/{id}", post(write_handler(update::update)))
}
