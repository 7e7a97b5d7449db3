//! The one thread that writes: it groups waiting writes into one commit, so that many share one sync of the disk.
//!
//! Every write runs in a savepoint of its own and is undone alone when it fails; nobody is told of a success before the
//! commit is on disk.

use super::checkpoint::Checkpoints;
use super::{Connection, StatementError};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many writes share one commit at most.
const GROUP: usize = 512;
/// How long a group may grow before it is committed.
const PATIENCE: Duration = Duration::from_millis(20);
/// How many writes may wait.
const QUEUE: usize = 1024;

/// What is known when a group has been put to the disk, or could not be.
pub type Committed<'e> = Result<(), &'e StatementError>;

/// What a write says about itself: whether it is to stay, and whom to tell in the end.
pub struct Verdict {
    keep: bool,
    tell: Box<dyn FnOnce(Committed<'_>) + Send>,
}

/// A write, run with the connection; or told why there is no transaction for it.
type Task = Box<dyn FnOnce(Result<&Connection, &StatementError>) -> Option<Verdict> + Send>;

/// Who keeps the file in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// This process.
    This,
    /// One that runs beside it.
    Other,
}

/// The writing thread.
pub struct Writer {
    tasks: Mutex<Option<SyncSender<Task>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The writer has stopped, or the write broke down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

impl Writer {
    /// Starts the thread over its connection to this file; `committed` is called after each commit, before anybody is told.
    pub fn start(
        connection: Connection,
        path: &Path,
        keeper: Keeper,
        committed: impl Fn(&Connection) + Send + 'static,
    ) -> std::io::Result<Writer> {
        let (sender, receiver) = sync_channel(QUEUE);
        let checkpoints = Checkpoints::start(path)?;
        let thread = std::thread::Builder::new().name("store-writer".to_owned()).spawn(move || {
            write_groups(&connection, &receiver, &committed, checkpoints);
            if keeper == Keeper::This
                && let Err(error) = connection.settle()
            {
                tracing::warn!(error = %error, "the store could not be settled when it was closed");
            }
        })?;
        Ok(Writer { tasks: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) })
    }

    /// Runs `work` in the next group and waits until the group is on disk. What `work` refuses leaves no trace.
    pub fn write<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static) -> Result<Result<T, E>, Gone>
    where
        T: Send + 'static,
        E: From<StatementError> + Send + 'static,
    {
        let (sender, answer) = std::sync::mpsc::sync_channel(1);
        let task: Task = Box::new(move |connection| {
            let outcome = match connection {
                Ok(connection) => work(connection),
                Err(error) => {
                    // The asker may have gone away.
                    let _ = sender.send(Err(E::from(StatementError::Disk(error.to_string()))));
                    return None;
                }
            };
            Some(Verdict {
                keep: outcome.is_ok(),
                tell: Box::new(move |committed| {
                    let outcome = match committed {
                        Ok(()) => outcome,
                        Err(StatementError::Disk(problem)) => outcome.and(Err(E::from(StatementError::Disk(problem.clone())))),
                        Err(error) => outcome.and(Err(E::from(StatementError::Disk(error.to_string())))),
                    };
                    // The asker may have gone away; the write stands all the same.
                    let _ = sender.send(outcome);
                }),
            })
        });
        let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(Gone)?;
        tasks.send(task).map_err(|_| Gone)?;
        drop(tasks);
        answer.recv().map_err(|_| Gone)
    }

    /// Runs `work` in a later group without waiting for it. What cannot be written is logged and lost; so is `work` itself, which `false`
    /// says, where too many writes wait or the writer has stopped.
    pub fn enqueue<E>(&self, work: impl FnOnce(&Connection) -> Result<(), E> + Send + 'static) -> bool
    where
        E: From<StatementError> + std::fmt::Display + Send + 'static,
    {
        let log = |error: &dyn std::fmt::Display| tracing::warn!(error = %error, "a write that nobody waits for was lost");
        let task: Task = Box::new(move |connection| {
            let outcome = connection.map_err(|error| E::from(StatementError::Disk(error.to_string()))).and_then(work);
            if let Err(error) = &outcome {
                log(error);
            }
            let tell = Box::new(move |committed: Committed<'_>| {
                if let Err(error) = committed {
                    log(error);
                }
            });
            Some(Verdict { keep: outcome.is_ok(), tell })
        });
        let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        tasks.is_some_and(|tasks| tasks.try_send(task).is_ok())
    }

    /// Finishes what waits, then stops the thread.
    pub fn close(&self) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()
            && thread.join().is_err()
        {
            tracing::error!("the writing thread of the store broke down");
        }
    }
}

fn write_groups(connection: &Connection, tasks: &Receiver<Task>, committed: &dyn Fn(&Connection), mut checkpoints: Checkpoints) {
    while let Ok(first) = tasks.recv() {
        let mut told = Vec::new();
        let outcome = write_group(connection, first, tasks, &mut told);
        if let Err(error) = &outcome {
            tracing::error!(error = %error, "a group of writes could not be committed");
            // Nothing to undo when the engine has done so already, as it does when the disk is full.
            let _ = connection.control("ROLLBACK");
        } else {
            committed(connection);
            checkpoints.wrote(told.len());
        }
        for tell in told {
            tell(outcome.as_ref().copied());
        }
    }
}

type Tell = Box<dyn FnOnce(Committed<'_>) + Send>;

fn write_group(connection: &Connection, first: Task, tasks: &Receiver<Task>, told: &mut Vec<Tell>) -> Result<(), StatementError> {
    if let Err(error) = connection.control("BEGIN IMMEDIATE") {
        first(Err(&error));
        return Err(error);
    }
    let begun = Instant::now();
    let mut next = Some(first);
    while let Some(task) = next {
        connection.control("SAVEPOINT one")?;
        // A panic must not take the thread with it: its own write is undone and its asker is told by the closed channel.
        let verdict = std::panic::catch_unwind(AssertUnwindSafe(|| task(Ok(connection)))).ok().flatten();
        let keep = verdict.as_ref().is_some_and(|verdict| verdict.keep);
        if let Some(verdict) = verdict {
            told.push(verdict.tell);
        }
        if !keep {
            connection.control("ROLLBACK TO one")?;
        }
        connection.control("RELEASE one")?;
        let go_on = told.len() < GROUP && begun.elapsed() < PATIENCE;
        next = if go_on { tasks.try_recv().ok() } else { None };
    }
    connection.control("COMMIT")
}
