//! Moves what is committed from the log into the file, beside the thread that writes.
//!
//! The engine would do so itself within a commit, each time the log has some megabytes, and everybody would wait who has something
//! written then. Here it does so only where the log has grown very long, because nobody else has come to the end of it. A log that is
//! moved is begun anew by the next write; one that is not is read again after a crash.

use super::{Connection, OpenError, StatementError};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// After so many writes the log is moved; beside the sync of each of them that of the file counts for little then.
const WRITES: usize = 50;
/// So long after them, for a page that is written again meanwhile is moved once.
const LATER: Duration = Duration::from_millis(250);

/// The thread that moves the log. Ends when it is dropped.
pub(super) struct Checkpoints {
    writes: usize,
    due: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Starts the thread over the file. Fails when the system gives none.
    pub fn start(path: &Path) -> std::io::Result<Checkpoints> {
        let (due, told) = channel();
        let path = path.to_owned();
        let thread = std::thread::Builder::new().name("store-log".to_owned()).spawn(move || move_when_due(&path, &told))?;
        Ok(Checkpoints { writes: 0, due: Some(due), thread: Some(thread) })
    }

    /// So many writes were committed.
    pub fn wrote(&mut self, writes: usize) {
        self.writes += writes;
        if self.writes >= WRITES
            && let Some(due) = &self.due
        {
            self.writes = 0;
            // Where the thread is gone the writer moves the log itself, later.
            let _ = due.send(());
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.due.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that moves the log of the store broke down");
        }
    }
}

fn move_when_due(path: &Path, due: &Receiver<()>) {
    let mut connection = None;
    while due.recv().is_ok() {
        if ended_within(LATER, due) {
            return;
        }
        if let Err(error) = move_log(&mut connection, path) {
            tracing::warn!(error = %error, "the log of the store could not be moved into the file; the writer does it when it is long");
            connection = None;
        }
    }
}

/// Waits so long, whatever is told meanwhile; whether the end has come.
#[allow(clippy::disallowed_methods, reason = "how long the thread waits is real time, not the time of records")]
fn ended_within(patience: Duration, due: &Receiver<()>) -> bool {
    let begun = Instant::now();
    while let Some(rest) = patience.checked_sub(begun.elapsed()) {
        match due.recv_timeout(rest) {
            Ok(()) => {}
            Err(outcome) => return outcome == RecvTimeoutError::Disconnected,
        }
    }
    false
}

fn move_log(connection: &mut Option<Connection>, path: &Path) -> Result<(), StatementError> {
    let opened = match connection.take() {
        Some(opened) => opened,
        None => Connection::open_mover(path).map_err(|error: OpenError| StatementError::Engine(error.to_string()))?,
    };
    connection.insert(opened).move_log()
}
