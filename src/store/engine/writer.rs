//! The writer thread: runs waiting writes in one transaction, so that they share one sync of the
//! disk (group commit).
//!
//! Every write runs in its own savepoint and is rolled back alone when it fails. Callers receive a
//! success only after the commit is on disk.

use super::postgres::Commit;
use super::sqlite::Checkpointer;
use super::write_metrics::{QueuedWrite, record_group, record_write};
use super::{
    Connection, DatabaseLocation, OpenError, StatementError, StatementTimes, statement_times,
};
use std::panic::AssertUnwindSafe;
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
/// How long the outcome of a commit is looked up while the server cannot be reached. Clients wait
/// this long for a definite answer.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two attempts to look it up.
const LOOKUP_INTERVAL: Duration = Duration::from_millis(100);

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

/// What a write does on the connection within the transaction of its group. Returns whether its
/// changes are kept; otherwise they are rolled back.
pub type Work = Box<dyn FnOnce(&Connection) -> bool + Send>;

/// What the caller of a write receives.
struct WriteOutcome {
    /// Whether the work wanted its changes to be kept.
    is_kept: bool,
    committed: Result<(), StatementError>,
    times: StatementTimes,
}

/// A write. Gets the connection, or the reason why no transaction could begin.
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
    /// Starts the thread with its connection to the location. The thread calls `connect` to replace
    /// a lost connection. It calls `on_group_end` after each group, before the callers are
    /// notified, with whether the group was committed.
    pub fn start(
        connection: Connection,
        location: &DatabaseLocation,
        owner: Owner,
        connect: impl Fn() -> Result<Connection, OpenError> + Send + 'static,
        on_group_end: impl Fn(bool) + Send + 'static,
    ) -> std::io::Result<Writer> {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let checkpointer = match location {
            DatabaseLocation::File(path) => Some(Checkpointer::start(path)?),
            DatabaseLocation::AtRest(_) | DatabaseLocation::Server(_) => None,
        };
        let mut writer = GroupWriter {
            connection,
            connect: Box::new(connect),
            on_group_end: Box::new(on_group_end),
            checkpointer,
        };
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                writer.write_all(&receiver);
                writer.close(owner);
            })?;
        Ok(Writer {
            tasks: Mutex::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Runs `work` in the next group and waits until the group is on disk. Returns an error when it
    /// could not be committed, but `Ok` when `work` itself wanted to be rolled back.
    pub fn write(&self, work: Work) -> Result<Result<(), StatementError>, WriterClosed> {
        let start = Instant::now();
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let queued = QueuedWrite::new();
        // Log events of the write belong to its request.
        let span = tracing::Span::current();
        let task: Task = Box::new(move |connection| {
            drop(queued);
            let _entered = span.entered();
            let (keep, times) = match connection {
                Ok(connection) => statement_times::measure(|| work(connection)),
                Err(error) => {
                    // The caller may have gone away.
                    let _ = sender.send(WriteOutcome {
                        is_kept: false,
                        committed: Err(error.for_another_caller()),
                        times: StatementTimes::default(),
                    });
                    return None;
                }
            };
            Some(TaskOutcome {
                keep,
                notify: Box::new(move |committed| {
                    let committed = match committed {
                        // What is rolled back needs no commit.
                        Err(error) if keep => Err(error.for_another_caller()),
                        _ => Ok(()),
                    };
                    // The caller may have gone away; the write stays.
                    let _ = sender.send(WriteOutcome {
                        is_kept: keep,
                        committed,
                        times,
                    });
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
        let received = receiver.recv();
        record_write(
            start,
            received
                .as_ref()
                .is_ok_and(|outcome| outcome.is_kept && outcome.committed.is_ok()),
        );
        let outcome = received.map_err(|_| WriterClosed)?;
        statement_times::add(outcome.times);
        Ok(outcome.committed)
    }

    /// Runs `work` in a later group without waiting for it; a failed commit is logged. Returns
    /// `false` when `work` is dropped because the queue is full or the writer has stopped.
    pub fn enqueue(&self, work: Work) -> bool {
        let queued = QueuedWrite::new();
        let task: Task = Box::new(move |connection| {
            drop(queued);
            match connection {
                Ok(connection) => Some(TaskOutcome {
                    keep: work(connection),
                    notify: Box::new(|committed| {
                        if let Err(error) = committed {
                            log_deferred_failure(error);
                        }
                    }),
                }),
                // Logged once where connections are opened.
                Err(error @ StatementError::Unavailable(_)) => {
                    tracing::debug!(error = %error, "a deferred write failed");
                    None
                }
                Err(error) => {
                    log_deferred_failure(error);
                    None
                }
            }
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

/// The state of the thread.
struct GroupWriter {
    connection: Connection,
    connect: Box<dyn Fn() -> Result<Connection, OpenError> + Send>,
    on_group_end: Box<dyn Fn(bool) + Send>,
    /// `None` for a server, which runs its own checkpoints.
    checkpointer: Option<Checkpointer>,
}

impl GroupWriter {
    fn write_all(&mut self, tasks: &Receiver<Task>) {
        while let Ok(first) = tasks.recv() {
            let mut notifications = Vec::new();
            let outcome = self.write_group(first, tasks, &mut notifications);
            (self.on_group_end)(outcome.is_ok());
            record_group(notifications.len());
            if let Err(error) = &outcome {
                match error {
                    // Logged once where connections are opened.
                    StatementError::Unavailable(_) => {
                        tracing::debug!(error = %error, "a group of writes could not be committed");
                    }
                    error => {
                        tracing::error!(error = %error, "a group of writes could not be committed");
                    }
                }
                // Fails when the engine has rolled back already.
                let _ = self.connection.roll_back();
                if let Some(checkpointer) = &mut self.checkpointer {
                    checkpointer.request();
                }
            } else {
                if let Some(checkpointer) = &mut self.checkpointer {
                    checkpointer.count_writes(notifications.len());
                }
            }
            for notify in notifications {
                notify(outcome.as_ref().copied());
            }
        }
    }

    fn write_group(
        &mut self,
        first: Task,
        tasks: &Receiver<Task>,
        notifications: &mut Vec<Notify>,
    ) -> Result<(), StatementError> {
        if let Err(error) = self.begin() {
            first(Err(&error));
            // Each of the others would wait as long and fail as well.
            for task in tasks.try_iter() {
                task(Err(&error));
            }
            return Err(error);
        }
        run_tasks(&self.connection, first, tasks, notifications)?;
        self.commit()
    }

    /// Begins the transaction of a group. Replaces a connection that was lost while it was idle.
    fn begin(&mut self) -> Result<(), StatementError> {
        if !self.connection.is_lost() {
            let outcome = self.connection.begin_write();
            if !self.connection.is_lost() {
                return outcome;
            }
        }
        self.connection = (self.connect)()?;
        self.connection.begin_write()
    }

    /// Commits a group. When the connection is lost meanwhile, asks the server on a new connection
    /// whether it has committed.
    fn commit(&mut self) -> Result<(), StatementError> {
        let Err(error) = self.connection.commit() else {
            return Ok(());
        };
        let Some(commit) = self.connection.lost_commit() else {
            return Err(error);
        };
        match self.has_committed(&commit) {
            Ok(true) => Ok(()),
            Ok(false) => Err(error),
            Err(_) => Err(StatementError::UnknownCommit(error.to_string())),
        }
    }

    /// Looks up the outcome of a commit, until the server answers or [`LOOKUP_TIMEOUT`] is over.
    fn has_committed(&mut self, commit: &Commit) -> Result<bool, StatementError> {
        let start = Instant::now();
        loop {
            let outcome = (self.connect)()
                .map_err(StatementError::from)
                .and_then(|connection| {
                    self.connection = connection;
                    self.connection.has_committed(commit)
                });
            if outcome.is_ok() || start.elapsed() >= LOOKUP_TIMEOUT {
                return outcome;
            }
            // Ends the transaction of the attempt. Fails when the connection is lost.
            let _ = self.connection.roll_back();
            std::thread::sleep(LOOKUP_INTERVAL);
        }
    }

    fn close(self, owner: Owner) {
        if let (Owner::ThisProcess, Connection::Sqlite(connection)) = (owner, &self.connection)
            && let Err(error) = connection.close_log()
        {
            tracing::warn!(error = %error, "final checkpoint of the store failed");
        }
    }
}

fn log_deferred_failure(error: &StatementError) {
    tracing::warn!(error = %error, "a deferred write failed");
}

/// Runs the first task and those that are waiting, within one transaction.
fn run_tasks(
    connection: &Connection,
    first: Task,
    tasks: &Receiver<Task>,
    notifications: &mut Vec<Notify>,
) -> Result<(), StatementError> {
    let start = Instant::now();
    let mut next_task = Some(first);
    while let Some(task) = next_task {
        connection.set_savepoint("task")?;
        // A panic must not end the thread: its write is rolled back, and its caller sees the closed
        // channel.
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| task(Ok(connection))))
            .ok()
            .flatten();
        if connection.is_lost() {
            notifications.extend(outcome.map(|outcome| outcome.notify));
            // Nothing is committed: COMMIT was not sent.
            return Err(StatementError::Unavailable(
                "the connection was lost during the transaction".to_owned(),
            ));
        }
        let abort_cause = connection.abort_cause();
        let keep = outcome.as_ref().is_some_and(|outcome| outcome.keep) && abort_cause.is_none();
        match (outcome, &abort_cause) {
            // The write has ignored the failure.
            (Some(outcome), Some(cause)) if outcome.keep => (outcome.notify)(Err(cause)),
            (Some(outcome), _) => notifications.push(outcome.notify),
            (None, _) => {}
        }
        connection.end_savepoint("task", keep)?;
        let may_grow = notifications.len() < MAX_GROUP && start.elapsed() < MAX_GROUP_TIME;
        next_task = if may_grow {
            tasks.try_recv().ok()
        } else {
            None
        };
    }
    Ok(())
}
