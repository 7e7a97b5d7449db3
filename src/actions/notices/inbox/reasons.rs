//! Why a person is told of a thread.

use super::list::visible_events;
use crate::prelude::*;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::reasons::Reasons;
use quarry_store::notices;

/// Number of the latest notices of which the reasons are named.
const LATEST: i64 = 50;

/// Returns why the viewer was told of the latest events of a thread that they may see now, and
/// whether they have muted it.
pub fn reasons(
    db: &Read<'_>,
    viewer: &Viewer,
    thread: Thread,
) -> Result<(Reasons, bool), StoreError> {
    let Some(user) = viewer.user else {
        return Ok((Reasons::default(), false));
    };
    let is_muted = notices::choice(db, user, thread)?.is_muted;
    let found = notices::list_by_thread(db, user, thread, LATEST)?;
    if found.is_empty() {
        return Ok((Reasons::default(), is_muted));
    }
    let visible = visible_events(db, viewer, &found)?;
    let reasons = found
        .iter()
        .filter(|notice| visible.contains_key(&notice.event))
        .fold(Reasons::default(), |all, notice| all.union(notice.reasons));
    Ok((reasons, is_muted))
}
