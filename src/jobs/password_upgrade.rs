//! Upgrades password hashes that an earlier version imported as SHA-1.

use crate::app::App;
use crate::import::wrap_passwords;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Wraps these hashes in argon2, which takes about 25 ms each, until none is left or the sender of
/// `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    match wrap_passwords(&app.store, &|| {
        stop.try_recv() != Err(TryRecvError::Disconnected)
    }) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "upgraded the hashes of imported passwords"),
        Err(error) => {
            tracing::error!(error = %error, "the hashes of imported passwords could not be upgraded; this is retried at the next start")
        }
    }
}
