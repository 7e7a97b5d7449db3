//! Passwords that came with an import of an earlier version, which kept their SHA-1.

use crate::app::App;
use crate::import::wrap_passwords;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Wraps them in argon2 (some 25 ms each), and ends when none is left or nobody is at the other end of `end` any more.
pub fn wrap(app: &App, end: &Receiver<()>) {
    match wrap_passwords(&app.store, &|| end.try_recv() != Err(TryRecvError::Disconnected)) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "passwords that came with an import are kept more safely now"),
        Err(error) => {
            tracing::error!(error = %error, "passwords that came with an import could not be kept more safely; it is tried again")
        }
    }
}
