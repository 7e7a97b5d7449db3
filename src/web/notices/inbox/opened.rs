//! Opening a record in a page marks the notices about it as read.

use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::notices::inbox;
use quarry_domain::notices::notice::Thread;
use std::sync::Arc;

/// Marks the viewer's notices about a thread as read, if a person opens its page and something is
/// unread. The number in the header leaves the thread out. The page does not fail because of it.
pub fn mark_opened(
    request: &RequestContext,
    db: &Read<'_>,
    frame: &mut Frame,
    thread: Thread,
) -> Result<(), Error> {
    let viewer = request.viewer();
    if !request.is_page_view() || !inbox::has_unread(db, viewer, thread)? {
        return Ok(());
    }
    let context = Arc::clone(&request.viewer_context);
    let store = &request.app.store;
    match store.write(move |db| inbox::mark_opened(db, &context.viewer, thread)) {
        Ok(_) => frame.unread = inbox::count_unread_without(db, viewer, thread)?,
        Err(error) => tracing::warn!(error = %error, "notices could not be marked as read"),
    }
    Ok(())
}
