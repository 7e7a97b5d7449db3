//! Deletes expired uploads and sessions, contents without an attachment, and their thumbnails. Then
//! empties the write-ahead log, which may still have deleted rows. Makes mails due now
//! that a clock that was ahead has postponed.

use super::metrics::record_run;
use jiff::{SignedDuration, Timestamp};
use quarry_actions::ActionError;
use quarry_actions::accounts::{devices, registration};
use quarry_actions::content::attachments;
use quarry_actions::notices::{notice_mails, outbox};
use quarry_app::App;
use quarry_store::StoreError;
use quarry_store::accounts::{invitations, lost_passwords, sessions};
use quarry_store::administration::audit_events;
use quarry_store::files::{blobs, thumbnails};
use quarry_store::notices;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, SystemTime};

/// Time after which an upload that was not attached is removed.
pub const UPLOAD_TTL: SignedDuration = SignedDuration::from_hours(24);
/// Time after which a notice is deleted, read or not.
const NOTICE_TTL: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Number of notices that one transaction deletes.
const NOTICES_PER_WRITE: i64 = 5_000;
/// Delay of the first cleanup after the start of the service.
const FIRST_DELAY: Duration = Duration::from_secs(60);
/// Delay of another attempt while the database server is away.
const RETRY_DELAY: Duration = Duration::from_secs(60);
/// Time between cleanups.
const INTERVAL: Duration = Duration::from_secs(6 * 3600);

/// Cleans up regularly, until the sender of `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    let mut pause = FIRST_DELAY;
    while stop.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = INTERVAL;
        let is_running = || stop.try_recv() == Err(TryRecvError::Empty);
        match record_run(app, "cleanup", || clean_up(app, &is_running)) {
            Ok((0, 0)) => {}
            Ok((uploads, contents)) => tracing::info!(
                uploads,
                contents,
                "removed unused uploads and their contents"
            ),
            Err(error) if error.is_unavailable() => pause = RETRY_DELAY,
            Err(error) => tracing::warn!(error = %error, "unused uploads could not be removed"),
        }
    }
}

/// Cleans up once. Returns the numbers of removed uploads and of removed contents.
pub fn run_once(app: &App) -> Result<(usize, usize), StoreError> {
    clean_up(app, &|| true)
}

fn clean_up(app: &App, is_running: &dyn Fn() -> bool) -> Result<(usize, usize), StoreError> {
    let now = SystemTime::from(app.clock.now());
    // Each node has its own temporary files and thumbnails.
    let removed = if app.node.is_leader() {
        clean_up_records(app, is_running)?
    } else {
        (0, blobs::delete_temporary_files(&app.store, now)?)
    };
    thumbnails::delete_orphans(&app.store, now, is_running)?;
    if !app.store.empty_log()? {
        tracing::debug!("the write-ahead log is in use; the next cleanup empties it");
    }
    Ok(removed)
}

/// Deletes what is in the store. Returns the numbers of removed uploads and of removed contents.
fn clean_up_records(
    app: &App,
    is_running: &dyn Fn() -> bool,
) -> Result<(usize, usize), StoreError> {
    let now = app.clock.now();
    let mut uploads = 0;
    app.store
        .write_with_reserve(move |db| sessions::delete_expired(db).map(drop))?;
    app.store.write_with_reserve(invitations::delete_expired)?;
    app.store
        .write_with_reserve(lost_passwords::delete_expired)?;
    while is_running() && app.store.write_with_reserve(audit_events::delete_old)? {}
    delete_old_notices(app, is_running)?;
    while is_running() && app.store.write_with_reserve(devices::delete_unused)? {}
    delete_expired_registrations(app, is_running)?;
    app.store.write_with_reserve(outbox::delete_old)?;
    app.store.write_with_reserve(notice_mails::correct_times)?;
    let before = now.saturating_sub(UPLOAD_TTL).unwrap_or(Timestamp::MIN);
    while is_running() {
        let removed = app
            .store
            .write_with_reserve(move |db| attachments::expire(db, before))?;
        if removed.is_empty() {
            break;
        }
        uploads += removed.len();
    }
    let contents = blobs::delete_orphans(&app.store, SystemTime::from(now), is_running)?;
    Ok((uploads, contents))
}

fn delete_expired_registrations(
    app: &App,
    is_running: &dyn Fn() -> bool,
) -> Result<(), StoreError> {
    while is_running() {
        match app.store.write_with_reserve(registration::delete_expired) {
            Ok(true) => {}
            Ok(false) => break,
            Err(ActionError::Store(error)) => return Err(error),
            Err(error) => {
                tracing::warn!(error = %error, "expired registrations could not be deleted");
                break;
            }
        }
    }
    Ok(())
}

fn delete_old_notices(app: &App, is_running: &dyn Fn() -> bool) -> Result<(), StoreError> {
    let now = app.clock.now();
    let before = now.saturating_sub(NOTICE_TTL).unwrap_or(Timestamp::MIN);
    while is_running() {
        let deleted = app
            .store
            .write_with_reserve(move |db| notices::delete_old(db, before, NOTICES_PER_WRITE))?;
        if deleted == 0 {
            break;
        }
    }
    Ok(())
}
