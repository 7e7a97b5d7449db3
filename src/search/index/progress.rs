//! The progress of indexing, shared between the indexing thread and those who wait for it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The progress of indexing.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    state: Mutex<State>,
    changed: Condvar,
    /// Wakes tasks, as `changed` wakes threads.
    published: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    indexed: i64,
    /// The last change that was waited for.
    awaited: i64,
    ready: bool,
    generation: u64,
    rebuilding: bool,
    /// The number of documents of the rebuild so far.
    rebuilt: u64,
    /// Whether the last rebuild has failed.
    rebuild_failed: bool,
    stopping: bool,
    damaged: bool,
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes that searches see all changes up to this one, in this generation.
    pub fn publish(&self, change: i64, generation: u64) {
        let mut state = self.lock();
        (state.indexed, state.generation, state.ready) = (change, generation, true);
        drop(state);
        self.changed.notify_all();
        self.published.notify_waiters();
    }

    /// Reports that the index is damaged.
    pub fn report_damage(&self) {
        self.lock().damaged = true;
        self.changed.notify_all();
    }

    /// Whether damage was reported since the last call.
    pub fn take_damaged(&self) -> bool {
        std::mem::take(&mut self.lock().damaged)
    }

    /// Stops indexing.
    pub fn stop(&self) {
        self.lock().stopping = true;
        self.changed.notify_all();
    }

    /// Whether indexing was stopped.
    pub fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Notes that a rebuild starts. Returns `false` when one is running already.
    pub fn start_rebuild(&self) -> bool {
        let mut state = self.lock();
        if state.rebuilding {
            return false;
        }
        (state.rebuilding, state.rebuilt, state.rebuild_failed) = (true, 0, false);
        true
    }

    /// Publishes the number of documents of the rebuild so far. Returns whether it goes on.
    pub fn report_rebuilt(&self, documents: u64) -> bool {
        let mut state = self.lock();
        state.rebuilt = documents;
        !state.stopping
    }

    /// Notes that the rebuild has ended.
    pub fn end_rebuild(&self, failed: bool) {
        let mut state = self.lock();
        (state.rebuilding, state.rebuild_failed) = (false, failed);
        drop(state);
        self.changed.notify_all();
    }

    /// Whether a rebuild is running.
    pub fn is_rebuilding(&self) -> bool {
        self.lock().rebuilding
    }

    /// Returns the number of documents of the rebuild that is running; `None` when there is none.
    pub fn rebuilt(&self) -> Option<u64> {
        let state = self.lock();
        state.rebuilding.then_some(state.rebuilt)
    }

    /// Whether the last rebuild has failed.
    pub fn has_rebuild_failed(&self) -> bool {
        self.lock().rebuild_failed
    }

    /// Returns the last change that searches see; `None` before there is an index.
    pub fn indexed(&self) -> Option<i64> {
        let state = self.lock();
        state.ready.then_some(state.indexed)
    }

    /// Returns the generation that is searched.
    pub fn generation(&self) -> u64 {
        self.lock().generation
    }

    /// Completes when further changes are published.
    pub fn notified(&self) -> Notified<'_> {
        self.published.notified()
    }

    /// Waits until searches see this change, at most `timeout`. Returns whether they do.
    pub fn wait_until(&self, change: i64, timeout: Duration) -> bool {
        let mut state = self.lock();
        if state.ready && state.indexed >= change {
            return true;
        }
        if state.awaited < change {
            state.awaited = change;
            self.changed.notify_all();
        }
        drop(state);
        self.wait(timeout, |state| state.ready && state.indexed >= change)
    }

    /// Whether a change after this one is waited for.
    pub fn is_awaited(&self, after: i64) -> bool {
        self.lock().awaited > after
    }

    /// Waits until a change after this one is waited for, at most `timeout`.
    pub fn wait_until_awaited(&self, after: i64, timeout: Duration) {
        self.wait(timeout, |state| state.awaited > after);
    }

    /// Waits until this generation or a later one is searched, at most `timeout`. Returns whether
    /// it is.
    pub fn wait_for_generation(&self, generation: u64, timeout: Duration) -> bool {
        self.wait(timeout, |state| {
            state.ready && state.generation >= generation
        })
    }

    /// Waits for `timeout`, or until indexing is stopped.
    pub fn pause(&self, timeout: Duration) {
        self.wait(timeout, |_| false);
    }

    fn wait(&self, timeout: Duration, is_met: impl Fn(&State) -> bool) -> bool {
        let outcome = self
            .changed
            .wait_timeout_while(self.lock(), timeout, |state| {
                !is_met(state) && !state.stopping
            });
        let (state, _) = outcome.unwrap_or_else(PoisonError::into_inner);
        is_met(&state)
    }
}
