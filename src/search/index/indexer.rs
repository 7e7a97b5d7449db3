//! Updates the index with the changes of the store: one thread, one writer.
//!
//! This file opens and publishes generations, and recovers from failures; `follow` keeps the
//! current one up to date, and `changes` applies a batch of changes to it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;

use super::Index;
use super::background::run_in_background;
use super::commit_meta::CommitMeta;
use super::generations::IndexDir;
use super::progress::Progress;
use super::rebuild;
use super::writer::Writer;
use crate::error::SearchError;
use crate::schema::config::IndexConfig;
use quarry_store::Store;
use quarry_store::index_feed::epochs;

mod changes;
mod follow;

/// Number of waiting changes from which on commits are larger.
const BULK_THRESHOLD: i64 = 5_000;
/// Number of consecutive failures after which the index is rebuilt.
const MAX_FAILURES: u32 = 3;

/// Delay of a retry when resources are short or the store cannot be read.
const SHORTAGE_PAUSE: Duration = Duration::from_secs(2);

/// Delay of a retry while the database server is away, which is logged where connections are opened.
const UNAVAILABLE_PAUSE: Duration = Duration::from_millis(250);

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
    match unusable {
        Err(error) => {
            tracing::warn!(error = %error, "the search index cannot be used and is rebuilt")
        }
        Ok(_) => tracing::info!("the search index is built from the records"),
    }
}

/// Opens the writer of a generation.
fn activate(
    (generation, index, change): LoadedGeneration,
) -> Result<ActiveGeneration, SearchError> {
    let writer = index.writer()?;
    let meta = index.commit_meta()?.ok_or(SearchError::Incompatible)?;
    Ok(ActiveGeneration {
        generation,
        index: Arc::new(index),
        writer,
        change,
        epoch: meta.epoch.clone(),
        applied: change,
        applied_epoch: meta.epoch,
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
    /// Its epoch.
    epoch: String,
    /// The last change that was applied to the writer.
    applied: i64,
    /// Its epoch when it was read.
    applied_epoch: String,
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

    /// Loads the current generation, or a new one if it is unusable or `rebuild` is set.
    fn load_or_rebuild(&self, rebuild: bool) -> Result<Option<LoadedGeneration>, SearchError> {
        let index = if rebuild {
            Ok(None)
        } else {
            self.load_verified()
        };
        match index {
            Ok(Some(loaded)) => Ok(Some(loaded)),
            Err(error) if self.is_shortage(&error) => Err(error),
            // A failure of the store does not concern the index.
            Err(error @ SearchError::Store(_)) => Err(error),
            unusable => {
                log_unusable(unusable);
                self.rebuild()?;
                self.load_current()
            }
        }
    }

    /// Runs until it is stopped. After a failure it retries with a new writer, and finally with a
    /// new index.
    pub fn run(&self) {
        let mut failures = 0;
        while !self.progress.is_stopping() {
            // tantivy panics over files that it cannot read; indexing must go on.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                match self.load_or_rebuild(failures >= MAX_FAILURES)? {
                    Some(loaded) => self.follow_changes(activate(loaded)?, &mut failures),
                    None => Ok(()),
                }
            }));
            let verified = self.verified.swap(0, Ordering::Relaxed);
            let outcome = outcome
                .unwrap_or_else(|_| Err(SearchError::Internal("indexing panicked".to_owned())));
            match outcome {
                Ok(()) | Err(SearchError::Stopped) => {}
                Err(SearchError::Damaged) => tracing::warn!(
                    "files of the search index are missing or changed; it is rebuilt"
                ),
                // A new index would need even more resources; the old one is searched meanwhile.
                Err(error) if self.is_shortage(&error) => {
                    log_shortage(&error);
                    self.progress.pause(SHORTAGE_PAUSE);
                }
                // A failure of the store does not concern the index, whose checksums remain valid.
                Err(SearchError::Store(error)) => {
                    self.verified.store(verified, Ordering::Relaxed);
                    self.progress.pause(if error.is_unavailable() {
                        tracing::debug!(error = %error, "the records to index cannot be read; indexing is retried");
                        UNAVAILABLE_PAUSE
                    } else {
                        tracing::error!(error = %error, "the records to index cannot be read; indexing is retried");
                        SHORTAGE_PAUSE
                    });
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
}
