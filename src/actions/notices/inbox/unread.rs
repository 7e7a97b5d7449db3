//! How many threads a person has not read, and reading them.

use super::list;
use crate::prelude::*;
use quarry_domain::notices::notice::Thread;
use quarry_store::notices;
use quarry_store::notices::NoticeState;
use std::collections::HashSet;

/// Number of threads up to which unread ones are counted.
pub const MAX_COUNTED: usize = 99;
/// Number of unread notices that are read together.
const PAGE: i64 = 400;
/// Maximum number of such reads.
const MAX_READS: i64 = list::LATEST / PAGE;

/// Returns the number of threads in the viewer's inbox with something unread that the viewer may
/// see, without those that are hidden until later; at most [`MAX_COUNTED`].
pub fn count_unread(db: &Read<'_>, viewer: &Viewer) -> Result<usize, StoreError> {
    count(db, viewer, None)
}

/// As [`count_unread`], without this thread.
pub fn count_unread_without(
    db: &Read<'_>,
    viewer: &Viewer,
    thread: Thread,
) -> Result<usize, StoreError> {
    count(db, viewer, Some(thread))
}

fn count(db: &Read<'_>, viewer: &Viewer, without: Option<Thread>) -> Result<usize, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(0);
    };
    let mut threads: HashSet<Thread> = HashSet::new();
    let mut before = i64::MAX;
    for _ in 0..MAX_READS {
        let mut unread = notices::list_unread(db, user, before, list::LATEST, PAGE)?;
        let Some(last) = unread.last() else { break };
        before = last.id;
        let is_last = i64::try_from(unread.len()).is_ok_and(|count| count < PAGE);
        let choices = notices::choices(db, user, &unread)?;
        unread.retain(|notice| {
            !list::is_hidden(db, &choices, notice.thread)
                && Some(notice.thread) != without
                && !threads.contains(&notice.thread)
        });
        let visible = list::visible_events(db, viewer, &unread)?;
        threads.extend(
            visible
                .values()
                .filter_map(|visible| Thread::of_event(&visible.event)),
        );
        if is_last || threads.len() >= MAX_COUNTED {
            break;
        }
    }
    Ok(threads.len().min(MAX_COUNTED))
}

/// Whether a notice of the viewer about a thread is unread.
pub fn has_unread(db: &Read<'_>, viewer: &Viewer, thread: Thread) -> Result<bool, StoreError> {
    match viewer.user {
        Some(user) => notices::has_unread(db, user, thread),
        None => Ok(false),
    }
}

/// Marks the viewer's notices about a thread as read. Returns whether any was unread.
pub fn mark_opened(
    db: &mut Write<'_>,
    viewer: &Viewer,
    thread: Thread,
) -> Result<bool, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(false);
    };
    let changed = notices::set_state(db, user, thread, i64::MAX, NoticeState::Read)?;
    Ok(changed > 0)
}
