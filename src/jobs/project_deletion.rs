//! Resumes the deletion of projects that a crash or a stop has interrupted, on this node or another.
//! Two nodes may delete the same project: each deletes what the other has left.

use quarry_actions::projects::{PendingDeletion, finish_deletion};
use quarry_app::App;
use quarry_store::StoreError;
use quarry_store::projects::deletion;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between looks for projects whose deletion another node has not finished.
const INTERVAL: Duration = Duration::from_secs(10);

/// Resumes deletions, until the sender of `stop` is dropped: with SQLite those that the last process
/// has left, with a server also those that another node leaves.
pub fn run(app: &App, stop: &Receiver<()>) {
    loop {
        if app.node.is_leader() {
            resume(app, stop);
        }
        let is_over =
            !app.node.is_shared() || stop.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout);
        if is_over {
            return;
        }
    }
}

/// Deletes the remaining records of hidden projects, until the sender of `stop` is dropped.
fn resume(app: &App, stop: &Receiver<()>) {
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
        tracing::error!(error = %error, "the deletion of a project could not be completed; it is resumed later");
    }
}
