//! Resumes the deletion of projects that a crash or a stop has interrupted.

use quarry_actions::projects::{PendingDeletion, finish_deletion};
use quarry_app::App;
use quarry_store::StoreError;
use quarry_store::projects::deletion;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between two attempts while the database server is away.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// Deletes the remaining records of hidden projects, until the sender of `stop` is dropped. While the
/// database server is away, tries again.
pub fn resume(app: &App, stop: &Receiver<()>) {
    loop {
        match delete_hidden(app, stop) {
            Ok(()) => return,
            Err(error) if error.is_unavailable() => {
                if stop.recv_timeout(RETRY_INTERVAL) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            Err(error) => {
                tracing::error!(error = %error, "the deletion of a project could not be completed; it is resumed at the next start");
                return;
            }
        }
    }
}

fn delete_hidden(app: &App, stop: &Receiver<()>) -> Result<(), StoreError> {
    let hidden = app.store.read::<_, StoreError>(deletion::hidden)?;
    if hidden.is_empty() {
        return Ok(());
    }
    let pending = PendingDeletion {
        hidden,
        ..PendingDeletion::default()
    };
    finish_deletion(&app.store, pending, || {
        stop.try_recv() == Err(TryRecvError::Disconnected)
    })
}
