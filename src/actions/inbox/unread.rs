//! How many threads a person has not read, and reading them.

use super::list;
use crate::activity::load_visible;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::content::activity::EventReference;
use quarry_domain::notices::notice::Thread;
use quarry_store::lists::texts::Texts;
use quarry_store::notices::NoticeState;
use quarry_store::{Read, StoreError, Write, notices};
use std::collections::HashSet;

/// Number of threads up to which unread ones are counted.
pub const MAX_COUNTED: usize = 99;
/// Maximum number of notices that are read for the count.
const MAX_NOTICES: i64 = 400;
/// Maximum number of threads with a choice that are loaded for the count.
const MAX_CHOICES: i64 = 1_000;

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
    let mut unread = notices::list_unread(db, user, list::MAX_NOTICES, MAX_NOTICES)?;
    if unread.is_empty() {
        return Ok(0);
    }
    let choices = notices::choices(db, user, MAX_CHOICES)?;
    let hidden: HashSet<Thread> = choices
        .iter()
        .filter(|choice| choice.hidden_until.is_some_and(|until| until > db.now()))
        .map(|choice| choice.thread)
        .collect();
    unread.retain(|notice| !hidden.contains(&notice.thread) && Some(notice.thread) != without);
    let references: Vec<EventReference> = unread.iter().map(|notice| notice.event).collect();
    let threads: HashSet<Thread> = load_visible(db, viewer, &references, Texts::Short)?
        .iter()
        .filter(|visible| visible.event.author != Some(user))
        .filter_map(|visible| Thread::of_event(&visible.event))
        .collect();
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
