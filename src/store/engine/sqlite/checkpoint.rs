//! Checkpoints of the write-ahead log, in a thread of their own.
//!
//! SQLite's automatic checkpoint runs within a commit, and every waiting write would wait for it.
//! Here that happens only when the log has grown very long. A checkpointed log is overwritten from
//! its start by the next write; one that is not is replayed after a crash.

use super::Connection;
use crate::engine::{OpenError, StatementError};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Writes between two checkpoints: the sync of the file is then cheap compared with the syncs of
/// the writes.
const WRITES_PER_CHECKPOINT: usize = 50;
/// Delay before a checkpoint, so that a page that is written several times is copied once.
const DELAY: Duration = Duration::from_millis(250);

/// The thread that runs checkpoints. Dropping it ends the thread.
pub struct Checkpointer {
    writes: usize,
    due: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread for the database file. Fails when the system cannot create a thread.
    pub fn start(path: &Path) -> std::io::Result<Checkpointer> {
        let (due, due_receiver) = channel();
        let path = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move || run(&path, &due_receiver))?;
        Ok(Checkpointer {
            writes: 0,
            due: Some(due),
            thread: Some(thread),
        })
    }

    /// Counts committed writes, and requests a checkpoint when there are enough.
    pub fn count_writes(&mut self, writes: usize) {
        self.writes += writes;
        if self.writes >= WRITES_PER_CHECKPOINT {
            self.request();
        }
    }

    /// Requests a checkpoint now, as after a failed commit: on a full disk the log cannot grow, but
    /// after a checkpoint it is overwritten.
    pub fn request(&mut self) {
        self.writes = 0;
        if let Some(due) = &self.due {
            // If the thread has ended, the writer checkpoints a long log itself.
            let _ = due.send(());
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.due.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the checkpoint thread of the store panicked");
        }
    }
}

fn run(path: &Path, due: &Receiver<()>) {
    let mut connection = None;
    while due.recv().is_ok() {
        if is_closed_within(DELAY, due) {
            return;
        }
        if let Err(error) = checkpoint(&mut connection, path) {
            tracing::warn!(error = %error, "checkpoint of the store failed; the writer runs it when the log is long");
            connection = None;
        }
    }
}

/// Waits for the delay whatever is received. Returns `true` when the channel was closed meanwhile.
#[allow(
    clippy::disallowed_methods,
    reason = "how long the thread waits is real time, not the time of records"
)]
fn is_closed_within(delay: Duration, due: &Receiver<()>) -> bool {
    let start = Instant::now();
    while let Some(rest) = delay.checked_sub(start.elapsed()) {
        match due.recv_timeout(rest) {
            Ok(()) => {}
            Err(error) => return error == RecvTimeoutError::Disconnected,
        }
    }
    false
}

fn checkpoint(connection: &mut Option<Connection>, path: &Path) -> Result<(), StatementError> {
    let opened = match connection.take() {
        Some(opened) => opened,
        None => Connection::open_checkpointer(path)
            .map_err(|error: OpenError| StatementError::Engine(error.to_string()))?,
    };
    connection.insert(opened).checkpoint()
}
