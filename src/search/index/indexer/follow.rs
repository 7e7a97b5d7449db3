//! Keeps the current generation up to date with the store.
//!
//! Changes are applied at once, and committed as soon as a search or a write waits for them.
//! Otherwise commits are less frequent, because each costs as much as many records.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::{ActiveGeneration, BULK_THRESHOLD, Indexer, MAX_FAILURES};
use crate::error::SearchError;

/// Minimum time between commits, and between batches of changes.
const MIN_COMMIT_INTERVAL: Duration = Duration::from_millis(20);
/// Time between commits that nothing waits for.
const IDLE_COMMIT_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum time to wait for a change before checking for a stop.
const POLL_TIMEOUT: Duration = Duration::from_millis(100);
/// Time between checks for a new generation of another process.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// A thread that loads the generation that another process has built.
type LoadingThread<'s> = ScopedJoinHandle<'s, Result<Option<ActiveGeneration>, SearchError>>;

impl Indexer {
    /// Applies changes with one writer until it fails or is stopped.
    pub(super) fn follow_changes(
        &self,
        active: ActiveGeneration,
        failures: &mut u32,
    ) -> Result<(), SearchError> {
        std::thread::scope(|scope| self.run_loop(scope, active, failures))
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "times between commits are real time, not the time of records"
    )]
    fn run_loop<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        mut active: ActiveGeneration,
        failures: &mut u32,
    ) -> Result<(), SearchError> {
        // After a failure the index may be behind the published change.
        let published = self
            .progress
            .indexed()
            .map_or(0, |indexed| indexed.min(self.store.last_change()));
        while active.change < published && !self.progress.is_stopping() {
            self.catch_up(&mut active)?;
        }
        self.publish(active.generation, Arc::clone(&active.index), active.change);
        let mut checked = Instant::now();
        let mut committed = None::<Instant>;
        let mut loading: Option<LoadingThread<'_>> = None;
        loop {
            if let Some(thread) = loading.take_if(|thread| thread.is_finished()) {
                let loaded = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                active = self.switch_generation(scope, active, loaded)?;
            }
            if self.progress.is_stopping() {
                if active.applied > active.change {
                    self.commit(&mut active)?;
                }
                active.writer.close()?;
                return Ok(());
            }
            let mut is_damaged = false;
            if checked.elapsed() >= CHECK_INTERVAL {
                checked = Instant::now();
                if loading.is_none() && self.index_dir.current()? != Some(active.generation) {
                    let thread = Builder::new().name("opening".to_owned());
                    loading = Some(thread.spawn_scoped(scope, || self.open_secondary())?);
                }
                // The directory may have been removed, or replaced by that of another index.
                is_damaged = !active.index.has_all_files()?
                    || active.index.commit_meta()? != Some(self.expected_meta(active.change)?);
            }
            if is_damaged || self.progress.take_damaged() {
                *failures = MAX_FAILURES;
                return Err(SearchError::Damaged);
            }
            if active.applied == active.change
                && self.store.wait_for_change(active.change, POLL_TIMEOUT) <= active.change
            {
                continue;
            }
            let since = committed.map_or(IDLE_COMMIT_INTERVAL, |at| at.elapsed());
            if since < MIN_COMMIT_INTERVAL {
                self.progress.pause(MIN_COMMIT_INTERVAL - since);
            }
            let waiting = self.store.last_change() - active.applied;
            // Searches see no change that was made after indexing was stopped.
            if self.progress.is_stopping() {
                continue;
            }
            self.apply_changes(&mut active)?;
            if since < IDLE_COMMIT_INTERVAL
                && waiting <= BULK_THRESHOLD
                && !self.progress.is_awaited(active.change)
            {
                self.progress
                    .wait_until_awaited(active.change, MIN_COMMIT_INTERVAL);
                continue;
            }
            committed = Some(Instant::now());
            self.commit(&mut active)?;
            self.progress.publish(active.change, active.generation);
            *failures = 0;
        }
    }

    /// Switches to the generation that another process has built, if it is usable.
    fn switch_generation<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        previous: ActiveGeneration,
        loaded: Result<Option<ActiveGeneration>, SearchError>,
    ) -> Result<ActiveGeneration, SearchError> {
        let mut active = match loaded {
            Ok(Some(active)) => active,
            Ok(None) | Err(SearchError::Incompatible) => {
                tracing::warn!("the new search index cannot be used; the old one is kept");
                self.index_dir.set_current(previous.generation)?;
                return Ok(previous);
            }
            Err(error) => return Err(error),
        };
        while active.change < previous.change && !self.progress.is_stopping() {
            self.catch_up(&mut active)?;
        }
        let generation = active.generation;
        let change = active.change;
        self.current.store(Some(Arc::clone(&active.index)));
        self.progress.publish(change, generation);
        tracing::info!(
            index.generation = generation,
            "a new search index is in use"
        );
        Builder::new()
            .name("closing".to_owned())
            .spawn_scoped(scope, move || self.retire(previous, generation))?;
        Ok(active)
    }

    /// Closes the writer of a previous generation, which may take a while, and removes the
    /// generation.
    fn retire(&self, previous: ActiveGeneration, current: u64) {
        if let Err(error) = previous.writer.close() {
            tracing::warn!(error = %error, "the previous search index could not be closed");
        }
        drop(previous.index);
        self.remove_old(current);
    }
}
