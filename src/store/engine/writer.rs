//! The writer thread: groups waiting writes into one commit, so that they share one sync of the
//! disk.
//!
//! Every write runs in its own savepoint and is rolled back alone when it fails. Callers receive a
//! success only after the commit is on disk.

use super::checkpoint::Checkpointer;
use super::{Connection, StatementError};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Maximum number of writes in one commit.
const MAX_GROUP: usize = 512;
/// How long a group may grow before it is committed.
const MAX_GROUP_TIME: Duration = Duration::from_millis(20);
/// Maximum number of waiting writes.
const MAX_QUEUED: usize = 1024;

/// The outcome of the commit of a group.
pub type Committed<'e> = Result<(), &'e StatementError>;

/// Tells the caller of a write the outcome of the commit.
type Notify = Box<dyn FnOnce(Committed<'_>) + Send>;

/// The outcome of one write.
pub struct TaskOutcome {
    /// Whether the write stays; otherwise it is rolled back.
    keep: bool,
    notify: Notify,
}

/// A write. Takes the connection, or the reason why no transaction could begin.
type Task = Box<dyn FnOnce(Result<&Connection, &StatementError>) -> Option<TaskOutcome> + Send>;

/// Which process maintains the file: checks it at startup, and optimizes and checkpoints it at
/// shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This process.
    ThisProcess,
    /// Another process that has the file open.
    OtherProcess,
}

/// The writer thread.
pub struct Writer {
    tasks: Mutex<Option<SyncSender<Task>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The writer has stopped, or the write panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterClosed;

impl Writer {
    /// Starts the thread with its connection to the file. Calls `committed` after each commit,
    /// before the callers are notified.
    pub fn start(
        connection: Connection,
        path: &Path,
        owner: Owner,
        committed: impl Fn(&Connection) + Send + 'static,
    ) -> std::io::Result<Writer> {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let checkpointer = Checkpointer::start(path)?;
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                write_groups(&connection, &receiver, &committed, checkpointer);
                if owner == Owner::ThisProcess
                    && let Err(error) = connection.close_log()
                {
                    tracing::warn!(error = %error, "final checkpoint of the store failed");
                }
            })?;
        Ok(Writer {
            tasks: Mutex::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Runs `work` in the next group and waits until the group is on disk. When `work` fails, its
    /// writes are rolled back.
    pub fn write<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<Result<T, E>, WriterClosed>
    where
        T: Send + 'static,
        E: From<StatementError> + Send + 'static,
    {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let task: Task = Box::new(move |connection| {
            let outcome = match connection {
                Ok(connection) => work(connection),
                Err(error) => {
                    // The caller may have gone away.
                    let _ = sender.send(Err(E::from(StatementError::Disk(error.to_string()))));
                    return None;
                }
            };
            Some(TaskOutcome {
                keep: outcome.is_ok(),
                notify: Box::new(move |committed| {
                    let outcome = match committed {
                        Ok(()) => outcome,
                        Err(StatementError::Disk(problem)) => {
                            outcome.and(Err(E::from(StatementError::Disk(problem.clone()))))
                        }
                        Err(error) => {
                            outcome.and(Err(E::from(StatementError::Disk(error.to_string()))))
                        }
                    };
                    // The caller may have gone away; the write stays.
                    let _ = sender.send(outcome);
                }),
            })
        });
        let tasks = self
            .tasks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
            .ok_or(WriterClosed)?;
        tasks.send(task).map_err(|_| WriterClosed)?;
        drop(tasks);
        receiver.recv().map_err(|_| WriterClosed)
    }

    /// Runs `work` in a later group without waiting for it; errors are logged. Returns `false` when
    /// `work` is dropped because the queue is full or the writer has stopped.
    pub fn enqueue<E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<(), E> + Send + 'static,
    ) -> bool
    where
        E: From<StatementError> + std::fmt::Display + Send + 'static,
    {
        let task: Task = Box::new(move |connection| {
            let outcome = connection
                .map_err(|error| E::from(StatementError::Disk(error.to_string())))
                .and_then(work);
            if let Err(error) = &outcome {
                log_deferred_failure(error);
            }
            let notify = Box::new(move |committed: Committed<'_>| {
                if let Err(error) = committed {
                    log_deferred_failure(error);
                }
            });
            Some(TaskOutcome {
                keep: outcome.is_ok(),
                notify,
            })
        });
        let tasks = self
            .tasks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        tasks.is_some_and(|tasks| tasks.try_send(task).is_ok())
    }

    /// Finishes the waiting writes, then stops the thread.
    pub fn close(&self) {
        self.tasks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            && thread.join().is_err()
        {
            tracing::error!("the writer thread of the store panicked");
        }
    }
}

fn write_groups(
    connection: &Connection,
    tasks: &Receiver<Task>,
    committed: &dyn Fn(&Connection),
    mut checkpointer: Checkpointer,
) {
    while let Ok(first) = tasks.recv() {
        let mut notifications = Vec::new();
        let outcome = write_group(connection, first, tasks, &mut notifications);
        if let Err(error) = &outcome {
            tracing::error!(error = %error, "a group of writes could not be committed");
            // Fails when SQLite has rolled back already, as it does when the disk is full.
            let _ = connection.execute_control("ROLLBACK");
            checkpointer.request();
        } else {
            committed(connection);
            checkpointer.count_writes(notifications.len());
        }
        for notify in notifications {
            notify(outcome.as_ref().copied());
        }
    }
}

fn log_deferred_failure(error: &dyn std::fmt::Display) {
    tracing::warn!(error = %error, "a deferred write failed");
}

fn write_group(
    connection: &Connection,
    first: Task,
    tasks: &Receiver<Task>,
    notifications: &mut Vec<Notify>,
) -> Result<(), StatementError> {
    if let Err(error) = connection.execute_control("BEGIN IMMEDIATE") {
        first(Err(&error));
        return Err(error);
    }
    let start = Instant::now();
    let mut next_task = Some(first);
    while let Some(task) = next_task {
        connection.execute_control("SAVEPOINT task")?;
        // A panic must not end the thread: its write is rolled back, and its caller sees the closed
        // channel.
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| task(Ok(connection))))
            .ok()
            .flatten();
        let keep = outcome.as_ref().is_some_and(|outcome| outcome.keep);
        if let Some(outcome) = outcome {
            notifications.push(outcome.notify);
        }
        if !keep {
            connection.execute_control("ROLLBACK TO task")?;
        }
        connection.execute_control("RELEASE task")?;
        let may_grow = notifications.len() < MAX_GROUP && start.elapsed() < MAX_GROUP_TIME;
        next_task = if may_grow {
            tasks.try_recv().ok()
        } else {
            None
        };
    }
    connection.execute_control("COMMIT")
}
