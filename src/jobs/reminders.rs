//! Puts the daily reminders of due issues into the outbox, on the node that leads.

use super::metrics::record_run;
use quarry_actions::notices::reminders;
use quarry_app::App;
use quarry_store::StoreError;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between checks for due reminders.
const INTERVAL: Duration = Duration::from_secs(60);

/// Inserts due reminders every minute, until the sender of `stop` is dropped. Does nothing while mail is
/// off.
pub fn run(app: &App, stop: &Receiver<()>) {
    if app.config.mail.is_none() {
        return;
    }
    while stop.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if !app.node.is_leader() {
            continue;
        }
        let is_running = || stop.try_recv() == Err(TryRecvError::Empty);
        match record_run(app, "reminders", || queue(app, &is_running)) {
            Ok(()) => {}
            Err(error) if error.is_unavailable() => {}
            Err(error) => tracing::warn!(error = %error, "the reminders could not be written"),
        }
    }
}

/// Inserts the reminders that are due now.
pub fn run_once(app: &App) -> Result<(), StoreError> {
    queue(app, &|| true)
}

fn queue(app: &App, is_running: &dyn Fn() -> bool) -> Result<(), StoreError> {
    while is_running()
        && app.store.read::<_, StoreError>(reminders::has_due)?
        && app.store.write_with_reserve(reminders::queue_daily)?
    {}
    Ok(())
}
