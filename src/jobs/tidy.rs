//! Files that nobody needs any more: uploads that were never hung on a record, and contents that no file has.

use crate::actions::attachments;
use crate::app::App;
use crate::store::{StoreError, contents};
use jiff::{SignedDuration, Timestamp};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, SystemTime};

/// How long an upload waits for a record.
pub const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// When this is looked after first: a service that starts has other things to do.
const FIRST: Duration = Duration::from_secs(60);
/// How often this is looked after.
const EVERY: Duration = Duration::from_secs(6 * 3600);

/// Looks after it until the other end of the channel is gone.
pub fn follow(app: &App, end: &Receiver<()>) {
    let mut pause = FIRST;
    while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = EVERY;
        match some(app, &|| end.try_recv() == Err(TryRecvError::Empty)) {
            Ok((0, 0)) => {}
            Ok((uploads, contents)) => tracing::info!(uploads, contents, "removed uploads that nobody wanted, and what they left"),
            Err(error) => tracing::warn!(error = %error, "uploads that nobody wanted could not be removed"),
        }
    }
}

/// Does it once: how many uploads and how many contents were removed.
pub fn once(app: &App) -> Result<(usize, usize), StoreError> {
    some(app, &|| true)
}

fn some(app: &App, go_on: &dyn Fn() -> bool) -> Result<(usize, usize), StoreError> {
    let (now, mut uploads) = (app.clock.now(), 0);
    let before = now.saturating_sub(KEPT).unwrap_or(Timestamp::MIN);
    while go_on() {
        let removed = app.store.write(move |db| attachments::expire(db, before))?;
        if removed.is_empty() {
            break;
        }
        uploads += removed.len();
    }
    Ok((uploads, contents::tidy(&app.store, SystemTime::from(now), go_on)?))
}
