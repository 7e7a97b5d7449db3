//! Resumes the deletion of projects that a crash or a stop has interrupted, on this node or another.
//! Two nodes may delete the same project: each deletes what the other has left.

use super::metrics::record_run;
use quarry_actions::projects::{PendingDeletion, finish_deletion};
use quarry_app::App;
use quarry_store::StoreError;
use quarry_store::projects::deletion;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between looks for projects whose deletion a node has not finished.
const INTERVAL: Duration = Duration::from_secs(10);

/// Resumes deletions, until the sender of `stop` is dropped: with SQLite those that the last process
/// has left, with a server also those that another node leaves, or the loss of the server.
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

fn resume(app: &App, stop: &Receiver<()>) {
    match record_run(app, "project_deletion", || delete_hidden(app, stop)) {
        Err(error) if !error.is_unavailable() => {
            tracing::error!(error = %error, "the deletion of a project could not be completed; it is resumed later");
        }
        _ => {}
    }
}

/// Deletes the remaining records of hidden projects, until the sender of `stop` is dropped.
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
