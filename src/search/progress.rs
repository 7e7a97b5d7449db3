//! How far the index is, told from the indexing thread to everybody.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Shared between the indexing thread and those who ask.
#[derive(Debug, Default)]
pub(super) struct Progress {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    indexed: i64,
    /// The last change for which somebody waits or has waited.
    wanted: i64,
    ready: bool,
    generation: u64,
    rebuilding: bool,
    stopping: bool,
    damaged: bool,
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches see every change up to this number, in this generation.
    pub fn reached(&self, change: i64, generation: u64) {
        let mut state = self.lock();
        (state.indexed, state.generation, state.ready) = (change, generation, true);
        self.moved.notify_all();
    }

    /// The index that is searched has turned out to be damaged.
    pub fn damaged(&self) {
        self.lock().damaged = true;
        self.moved.notify_all();
    }

    /// Whether that was said since it was last asked.
    pub fn was_damaged(&self) -> bool {
        std::mem::take(&mut self.lock().damaged)
    }

    /// Nothing more is to be indexed.
    pub fn stop(&self) {
        self.lock().stopping = true;
        self.moved.notify_all();
    }

    /// Whether the end is asked for.
    pub fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Says whether a rebuild is under way; `false` when one was already.
    pub fn rebuilding(&self, under_way: bool) -> bool {
        let before = std::mem::replace(&mut self.lock().rebuilding, under_way);
        self.moved.notify_all();
        before != under_way
    }

    /// Whether a rebuild is under way.
    pub fn is_rebuilding(&self) -> bool {
        self.lock().rebuilding
    }

    /// The number of the last change that searches see; `None` before there is an index.
    pub fn indexed(&self) -> Option<i64> {
        let state = self.lock();
        state.ready.then_some(state.indexed)
    }

    /// The generation that is searched.
    pub fn generation(&self) -> u64 {
        self.lock().generation
    }

    /// Waits until searches see this change, at most `patience`; whether they do.
    pub fn wait_until(&self, change: i64, patience: Duration) -> bool {
        let mut state = self.lock();
        if state.ready && state.indexed >= change {
            return true;
        }
        if state.wanted < change {
            state.wanted = change;
            self.moved.notify_all();
        }
        drop(state);
        self.wait(patience, |state| state.ready && state.indexed >= change)
    }

    /// Whether somebody waits for a change after this one.
    pub fn is_awaited(&self, after: i64) -> bool {
        self.lock().wanted > after
    }

    /// Waits until somebody waits for a change after this one, at most `patience`.
    pub fn wait_until_awaited(&self, after: i64, patience: Duration) {
        self.wait(patience, |state| state.wanted > after);
    }

    /// Waits until this generation or a later one is searched, at most `patience`; whether it is.
    pub fn wait_for_generation(&self, generation: u64, patience: Duration) -> bool {
        self.wait(patience, |state| state.ready && state.generation >= generation)
    }

    /// Waits, unless the end is asked for.
    pub fn pause(&self, patience: Duration) {
        self.wait(patience, |_| false);
    }

    fn wait(&self, patience: Duration, holds: impl Fn(&State) -> bool) -> bool {
        let waiting = |state: &mut State| !holds(state) && !state.stopping;
        let waited = self.moved.wait_timeout_while(self.lock(), patience, waiting);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        holds(&state)
    }
}
