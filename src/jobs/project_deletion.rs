//! Resumes the deletion of projects that a crash or a stop has interrupted.

use quarry_actions::projects::{PendingDeletion, finish_deletion};
use quarry_app::App;
use quarry_store::StoreError;
use quarry_store::projects::deletion;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Deletes the remaining records of hidden projects, until the sender of `stop` is dropped.
pub fn resume(app: &App, stop: &Receiver<()>) {
    let is_stopped = || stop.try_recv() == Err(TryRecvError::Disconnected);
    let outcome = app.store.read(deletion::hidden).and_then(|hidden: Vec<_>| {
        if hidden.is_empty() {
            return Ok::<(), StoreError>(());
        }
        let pending = PendingDeletion {
            hidden,
            ..PendingDeletion::default()
        };
        finish_deletion(&app.store, pending, is_stopped)
    });
    if let Err(error) = outcome {
        tracing::error!(error = %error, "the deletion of a project could not be completed; it is resumed at the next start");
    }
}
