//! Updates the index with the changes of the store: one thread, one writer.
//!
//! Changes are applied at once, and committed as soon as a search or a write waits for them.
//! Otherwise commits are less frequent, because each costs as much as many records.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;

use super::Index;
use super::background::run_in_background;
use super::commit_meta::CommitMeta;
use super::generations::IndexDir;
use super::progress::Progress;
use super::rebuild;
use super::writer::Writer;
use crate::domain::kind::Kind;
use crate::search::error::SearchError;
use crate::search::schema::config::IndexConfig;
use crate::store::{Read, Store, StoreError, changes, epochs, indexed_records};

/// Minimum time between commits, and between batches of changes.
const MIN_COMMIT_INTERVAL: Duration = Duration::from_millis(20);
/// Time between commits that nothing waits for.
const IDLE_COMMIT_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum time to wait for a change before checking for a stop.
const POLL_TIMEOUT: Duration = Duration::from_millis(100);
/// Time between checks for a new generation of another process.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Number of changes that are read at once.
const BATCH_SIZE: usize = 200;
/// Maximum amount of a commit, so that long texts do not delay the changes after them for long.
const MAX_COMMIT: Amount = Amount {
    changes: 1_000,
    bytes: 2 << 20,
};
/// Number of waiting changes from which on commits are larger.
const BULK_THRESHOLD: i64 = 5_000;
/// Maximum amount of such a commit.
const MAX_BULK_COMMIT: Amount = Amount {
    changes: 20_000,
    bytes: 64 << 20,
};
/// Number of consecutive failures after which the index is rebuilt.
const MAX_FAILURES: u32 = 3;

/// Delay of a retry when resources are short or the store cannot be read.
const SHORTAGE_PAUSE: Duration = Duration::from_secs(2);

/// An amount of changes: their number, and the bytes of their text.
#[derive(Clone, Copy, Default)]
struct Amount {
    changes: usize,
    bytes: usize,
}

/// The state of the indexing thread.
pub(crate) struct Indexer {
    pub store: Arc<Store>,
    pub index_dir: IndexDir,
    pub config: Arc<IndexConfig>,
    pub progress: Arc<Progress>,
    /// The index that is searched, as soon as there is one.
    pub current: Arc<ArcSwapOption<Index>>,
    /// The generation that was just built, or whose checksums were verified, so that they are not
    /// computed again; 0 for none.
    pub verified: AtomicU64,
}

/// A loaded generation: its number, its index, and the last change in it.
type LoadedGeneration = (u64, Index, i64);

/// Logs why an index is rebuilt.
fn log_unusable(unusable: Result<Option<LoadedGeneration>, SearchError>) {
    if let Err(error) = unusable {
        tracing::warn!(error = %error, "the search index cannot be used and is rebuilt");
    }
}

/// Opens the writer of a generation.
fn activate(
    (generation, index, change): LoadedGeneration,
) -> Result<ActiveGeneration, SearchError> {
    let writer = index.writer()?;
    Ok(ActiveGeneration {
        generation,
        index: Arc::new(index),
        writer,
        change,
        applied: change,
    })
}

/// Logs a shortage of resources.
fn log_shortage(error: &SearchError) {
    tracing::warn!(error = %error, "file descriptors, memory or disk space have run out; the search index is kept and indexing is retried");
}

/// A generation with its writer. Fields are dropped in this order.
struct ActiveGeneration {
    generation: u64,
    index: Arc<Index>,
    writer: Writer,
    /// The last committed change.
    change: i64,
    /// The last change that was applied to the writer.
    applied: i64,
}

impl Indexer {
    /// Publishes the current generation if it is valid. Otherwise rebuilds a small index at once; a
    /// large one is rebuilt by [`Indexer::run`].
    pub fn start(&self) -> Result<(), SearchError> {
        match self.load_verified() {
            Ok(Some((generation, index, change))) => {
                self.publish(generation, Arc::new(index), change)
            }
            Err(error) if self.is_shortage(&error) => log_shortage(&error),
            unusable if self.store.last_change() <= BULK_THRESHOLD => {
                log_unusable(unusable);
                self.rebuild()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether an error is due to a shortage of resources. When the engine hides the cause, a
    /// current shortage counts as the cause.
    fn is_shortage(&self, error: &SearchError) -> bool {
        error.is_shortage() || (error.hides_cause() && self.index_dir.is_out_of_resources())
    }

    /// Builds a new generation and publishes it.
    fn rebuild(&self) -> Result<(), SearchError> {
        self.progress.start_rebuild();
        let outcome = rebuild::rebuild(
            &self.index_dir,
            &self.store,
            &self.config,
            self.current.load().is_some(),
            |documents| self.progress.report_rebuilt(documents),
        );
        self.progress.end_rebuild(outcome.is_err());
        outcome?;
        let (generation, index, change) = self.load_current()?.ok_or(SearchError::Incompatible)?;
        self.publish(generation, Arc::new(index), change);
        self.verified.store(generation, Ordering::Relaxed);
        Ok(())
    }

    /// Loads the current generation and verifies its checksums, which reads all of it. Fails when
    /// it is invalid; `None` when there is none.
    fn load_verified(&self) -> Result<Option<LoadedGeneration>, SearchError> {
        let Some((generation, index, change)) = self.load_current()? else {
            return Ok(None);
        };
        let sound =
            self.verified.load(Ordering::Relaxed) == generation || index.has_valid_checksums()?;
        self.verified
            .store(if sound { generation } else { 0 }, Ordering::Relaxed);
        if sound {
            Ok(Some((generation, index, change)))
        } else {
            Err(SearchError::Damaged)
        }
    }

    /// Loads the current generation; `None` when there is none.
    fn load_current(&self) -> Result<Option<LoadedGeneration>, SearchError> {
        let Some(generation) = self.index_dir.current()? else {
            return Ok(None);
        };
        let index = Index::open(
            &self.index_dir.directory(generation),
            Arc::clone(&self.config),
        )?;
        let meta = index.commit_meta()?.ok_or(SearchError::Incompatible)?;
        // An index of another epoch has other records: it is or was ahead of the store (power loss,
        // a restored backup), or it belongs to another store.
        if meta != self.expected_meta(meta.change)? || meta.epoch.is_empty() {
            return Err(SearchError::Incompatible);
        }
        Ok(Some((generation, index, meta.change)))
    }

    /// Returns the commit metadata of an index with all changes up to this one.
    fn expected_meta(&self, change: i64) -> Result<CommitMeta, SearchError> {
        let epoch = self.store.read(|db| epochs::token_at(db, change))?;
        Ok(CommitMeta {
            fingerprint: self.config.fingerprint.clone(),
            change,
            epoch,
        })
    }

    /// Loads the current generation with its writer while another one is in use. Warming it has a
    /// lower priority than searches.
    fn open_secondary(&self) -> Result<Option<ActiveGeneration>, SearchError> {
        let Some(loaded) = self.load_current()? else {
            return Ok(None);
        };
        run_in_background(|| loaded.1.warm())??;
        activate(loaded).map(Some)
    }

    fn publish(&self, generation: u64, index: Arc<Index>, change: i64) {
        self.current.store(Some(index));
        self.remove_old(generation);
        self.progress.publish(change, generation);
    }

    fn remove_old(&self, generation: u64) {
        if let Err(error) = self.index_dir.remove_old(generation) {
            tracing::warn!(error = %error, "old generations of the search index could not be removed");
        }
    }

    /// Runs until it is stopped. After a failure it retries with a new writer, and finally with a
    /// new index.
    pub fn run(&self) {
        let mut failures = 0;
        while !self.progress.is_stopping() {
            // tantivy panics over files that it cannot read; indexing must go on.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let index = if failures >= MAX_FAILURES {
                    Ok(None)
                } else {
                    self.load_verified()
                };
                let active = match index {
                    Ok(Some(loaded)) => Some(activate(loaded)?),
                    Err(error) if self.is_shortage(&error) => return Err(error),
                    unusable => {
                        log_unusable(unusable);
                        self.rebuild()?;
                        self.load_current()?.map(activate).transpose()?
                    }
                };
                active.map_or(Ok(()), |active| self.follow_changes(active, &mut failures))
            }));
            self.verified.store(0, Ordering::Relaxed);
            match outcome
                .unwrap_or_else(|_| Err(SearchError::Internal("indexing panicked".to_owned())))
            {
                Ok(()) | Err(SearchError::Stopped) => {}
                Err(SearchError::Damaged) => tracing::warn!(
                    "files of the search index are missing or changed; it is rebuilt"
                ),
                // A new index would need even more resources; the old one is searched meanwhile.
                Err(error) if self.is_shortage(&error) => {
                    log_shortage(&error);
                    self.progress.pause(SHORTAGE_PAUSE);
                }
                // A failure of the store does not concern the index.
                Err(SearchError::Store(error)) => {
                    tracing::error!(error = %error, "the records to index cannot be read; indexing is retried");
                    self.progress.pause(SHORTAGE_PAUSE);
                }
                Err(error) => {
                    failures += 1;
                    tracing::error!(error = %error, index.failures = failures, "indexing failed");
                    self.progress
                        .pause(Duration::from_millis(100 << failures.min(8)));
                }
            }
        }
    }

    /// Applies changes with one writer until it fails or is stopped.
    fn follow_changes(
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
        let mut loading: Option<
            ScopedJoinHandle<'_, Result<Option<ActiveGeneration>, SearchError>>,
        > = None;
        loop {
            if let Some(loaded) = loading.take_if(|loading| loading.is_finished()) {
                active = self.switch_generation(
                    scope,
                    active,
                    loaded.join().unwrap_or_else(|panic| resume_unwind(panic)),
                )?;
            }
            if self.progress.is_stopping() {
                if active.applied > active.change {
                    self.commit(&mut active)?;
                }
                active.writer.close()?;
                return Ok(());
            }
            if checked.elapsed() >= CHECK_INTERVAL {
                checked = Instant::now();
                if loading.is_none() && self.index_dir.current()? != Some(active.generation) {
                    let thread = Builder::new().name("opening".to_owned());
                    loading = Some(thread.spawn_scoped(scope, || self.open_secondary())?);
                }
                // The directory may have been removed, or replaced by that of another index.
                if !active.index.has_all_files()?
                    || active.index.commit_meta()? != Some(self.expected_meta(active.change)?)
                {
                    *failures = MAX_FAILURES;
                    return Err(SearchError::Damaged);
                }
            }
            if self.progress.take_damaged() {
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

    /// Applies and commits the waiting changes, or a large part of them.
    fn catch_up(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        self.apply_changes(active)?;
        self.commit(active)
    }

    /// Applies the waiting changes to the writer, or a part of them when there are many.
    fn apply_changes(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        let max = if self.store.last_change() - active.applied > BULK_THRESHOLD {
            MAX_BULK_COMMIT
        } else {
            MAX_COMMIT
        };
        let mut applied = Amount::default();
        loop {
            let (next, batch) = self.apply_batch(active, active.applied)?;
            active.applied = next;
            applied = Amount {
                changes: applied.changes + batch.changes,
                bytes: applied.bytes + batch.bytes,
            };
            if batch.changes < BATCH_SIZE
                || applied.changes >= max.changes
                || applied.bytes >= max.bytes
            {
                return Ok(());
            }
        }
    }

    /// Commits the applied changes with their metadata, and reloads the index.
    fn commit(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        active
            .writer
            .commit(&self.expected_meta(active.applied)?.to_string())?;
        active.index.reload()?;
        active.change = active.applied;
        Ok(())
    }

    /// Applies a batch of changed records to the writer. Returns the last change and the amount.
    fn apply_batch(
        &self,
        active: &ActiveGeneration,
        after: i64,
    ) -> Result<(i64, Amount), SearchError> {
        let (reached, changes, parts) =
            self.store.read(|db: &Read<'_>| -> Result<_, StoreError> {
                let changes = changes::after(db, after, BATCH_SIZE)?;
                let reached = match changes.last() {
                    Some(last) if changes.len() == BATCH_SIZE => last.seq,
                    _ => changes::last(db)?,
                };
                let mut parts = Vec::new();
                for kind in Kind::ALL {
                    let ids: Vec<i64> = changes
                        .iter()
                        .filter(|change| change.kind == kind)
                        .map(|change| change.id)
                        .collect();
                    if !ids.is_empty() {
                        parts.extend(
                            indexed_records::split_by_size(db, kind, ids)?
                                .into_iter()
                                .map(|ids| (kind, ids)),
                        );
                    }
                }
                Ok((reached, changes, parts))
            })?;
        for change in &changes {
            active
                .writer
                .delete(active.index.key(change.kind, change.id));
        }
        // Records with long texts are read in parts. A record that has changed meanwhile is indexed
        // again in a later batch.
        let mut bytes = 0;
        for (kind, ids) in parts {
            for source in self
                .store
                .read(|db: &Read<'_>| indexed_records::load(db, kind, &ids))?
            {
                bytes += source.text_bytes();
                active.writer.add(active.index.document(&source))?;
            }
        }
        Ok((
            reached.max(after),
            Amount {
                changes: changes.len(),
                bytes,
            },
        ))
    }
}
