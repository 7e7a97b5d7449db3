//! When a person or the system asks the process to end.

use tokio::signal::unix::{SignalKind, signal};

/// Ctrl-C and SIGTERM, heard from the moment on that this is made.
pub struct Stop {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Stop {
    /// Begins to listen; from now on the signals no longer end the process by themselves.
    pub fn heard() -> std::io::Result<Stop> {
        Ok(Stop { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the next of them.
    pub async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
