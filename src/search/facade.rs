//! The interface of the search for the rest of the service: opens, searches, rebuilds and verifies
//! the index of a store.
//!
//! Invariant: tantivy may fail or panic without stopping the service; a damaged index is rebuilt,
//! and callers get an error meanwhile.

use arc_swap::ArcSwapOption;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::error::SearchError;
use super::execute::collector::for_each_record;
use super::execute::deadline::{DeadlineGuard, is_request_over, is_timeout};
use super::explain::Explanation;
use super::index::Index;
use super::index::generations::{IndexDir, LockGuard};
use super::index::indexer::Indexer;
use super::index::progress::Progress;
use super::index::rebuild::rebuild;
use super::index::verify::{Report, verify};
use super::query::parsed_query::{ParsedQuery, QueryError};
use super::request::{Hit, SearchRequest, SearchResponse};
use super::schema::config::{Bounds, IndexConfig};
use quarry_domain::access::viewer::Viewer;
use quarry_store::{Read, Store};

/// How long a rebuild waits until its index is used.
const SWITCH_TIMEOUT: Duration = Duration::from_secs(300);

/// The search index of a store, kept up to date by [`Search::run_indexer`]. Share it in an `Arc`.
pub struct Search {
    store: Arc<Store>,
    index_dir: IndexDir,
    config: Arc<IndexConfig>,
    current: Arc<ArcSwapOption<Index>>,
    progress: Arc<Progress>,
    /// The indexer with its lock, until [`Search::run_indexer`] takes it.
    indexer: Mutex<Option<(Indexer, LockGuard)>>,
    /// The thread of the last rebuild in the background.
    rebuilder: Mutex<Option<JoinHandle<()>>>,
}

/// The state of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The last change that searches see; `None` before there is an index.
    pub indexed: Option<i64>,
    /// The number of documents.
    pub documents: u64,
    /// The number of segments.
    pub segments: usize,
    /// Whether the index is being rebuilt.
    pub rebuilding: bool,
    /// The number of documents of that rebuild so far.
    pub rebuilt: u64,
    /// Whether the last rebuild has failed.
    pub rebuild_failed: bool,
    /// The number of the current generation; every rebuild creates one.
    pub generation: u64,
}

impl Search {
    /// Opens the index in this directory, to be kept up to date by [`Search::run_indexer`]. An
    /// index that is missing, damaged, ahead of the store or of another configuration is rebuilt:
    /// at once when there are few records, otherwise in the background. Fails if another process
    /// has the index open.
    pub fn open(folder: &Path, store: Arc<Store>) -> Result<Arc<Search>, SearchError> {
        let config = Arc::new(IndexConfig::embedded()?);
        let index_dir = IndexDir::open(folder)?;
        let lock = index_dir.lock_writer()?;
        let current = Arc::new(ArcSwapOption::empty());
        let progress = Arc::new(Progress::default());
        let indexer = Indexer {
            store: Arc::clone(&store),
            index_dir: index_dir.clone(),
            config: Arc::clone(&config),
            progress: Arc::clone(&progress),
            current: Arc::clone(&current),
            verified: AtomicU64::new(0),
        };
        indexer.start()?;
        let indexer = Mutex::new(Some((indexer, lock)));
        let rebuilder = Mutex::default();
        Ok(Arc::new(Search {
            store,
            index_dir,
            config,
            current,
            progress,
            indexer,
            rebuilder,
        }))
    }

    /// Parses a query of which every word must match, or any.
    pub fn parse(&self, text: &str, all_words: bool) -> Result<ParsedQuery, QueryError> {
        let query = ParsedQuery::parse(text, &self.config.bounds)?;
        if all_words {
            query.check_all_words(&self.config.bounds)?;
        }
        Ok(query)
    }

    /// Runs a search. `db` tests the conditions that the index cannot, in one snapshot.
    pub fn search(
        &self,
        request: &SearchRequest<'_>,
        db: &Read<'_>,
        viewer: &Viewer,
    ) -> Result<SearchResponse, SearchError> {
        self.with_index(|index| index.search_with_store(request, db, viewer))
    }

    /// Explains hits of a request; `None` for a hit without a score.
    pub fn explain(
        &self,
        request: &SearchRequest<'_>,
        hits: &[Hit],
    ) -> Result<Vec<Option<Explanation>>, SearchError> {
        self.with_index(|index| index.explain(request, hits))
    }

    /// Whether searches see this change.
    pub fn has_indexed(&self, change: i64) -> bool {
        self.progress
            .indexed()
            .is_some_and(|indexed| indexed >= change)
    }

    /// Returns the last change that searches see; `None` before there is an index.
    pub fn indexed(&self) -> Option<i64> {
        self.progress.indexed()
    }

    /// Whether there is an index to search, perhaps an old one while the next one is built.
    pub fn is_ready(&self) -> bool {
        self.progress.indexed().is_some()
    }

    /// Whether the index is being rebuilt, or there is none yet.
    pub fn is_rebuilding(&self) -> bool {
        self.progress.is_rebuilding() || self.progress.indexed().is_none()
    }

    /// Whether searches see this change. If not, the index commits it as soon as it can, not at its
    /// usual pace.
    pub fn request_commit(&self, change: i64) -> bool {
        self.progress.wait_until(change, Duration::ZERO)
    }

    /// Completes when searches see more changes than at the time of this call.
    pub fn progress(&self) -> impl Future<Output = ()> {
        self.progress.notified()
    }

    /// Waits until searches see this change, at most for `timeout`, and returns whether they do.
    /// Blocks.
    pub fn wait_until(&self, change: i64, timeout: Duration) -> bool {
        self.progress.wait_until(change, timeout)
    }

    /// Rebuilds the index next to the current one and switches to it. Blocks; searches go on.
    /// `report` is called with the number of documents so far.
    pub fn rebuild(&self, report: impl FnMut(u64) + Send) -> Result<(), SearchError> {
        if !self.progress.start_rebuild() {
            return Err(SearchError::Rebuilding);
        }
        self.finish_rebuild(report)
    }

    /// Starts to rebuild the index in a thread of its own, which ends with the indexer.
    /// [`Search::status`] has the progress. Fails while a rebuild is running.
    pub fn start_rebuild(self: &Arc<Search>) -> Result<(), SearchError> {
        if !self.progress.start_rebuild() {
            return Err(SearchError::Rebuilding);
        }
        let search = Arc::clone(self);
        let thread = Builder::new().name("rebuilding".to_owned()).spawn(move || {
            // tantivy panics over files that it cannot read.
            let outcome = catch_unwind(AssertUnwindSafe(|| search.finish_rebuild(|_| {})));
            match outcome
                .unwrap_or_else(|_| Err(SearchError::Internal("the rebuild panicked".to_owned())))
            {
                Ok(()) | Err(SearchError::Stopped) => {}
                Err(error) => {
                    search.progress.end_rebuild(true);
                    tracing::error!(error = %error, "the search index could not be rebuilt");
                }
            }
        });
        match thread {
            Ok(thread) => {
                *self
                    .rebuilder
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(thread)
            }
            Err(error) => {
                self.progress.end_rebuild(true);
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Runs a rebuild that was noted as started.
    fn finish_rebuild(&self, mut report: impl FnMut(u64) + Send) -> Result<(), SearchError> {
        let rebuilt = rebuild(
            &self.index_dir,
            &self.store,
            &self.config,
            self.current.load().is_some(),
            |documents| {
                report(documents);
                self.progress.report_rebuilt(documents)
            },
        );
        let outcome = rebuilt.and_then(|generation| {
            let progress = &self.progress;
            if progress.wait_for_generation(generation, SWITCH_TIMEOUT) {
                Ok(())
            } else if progress.is_stopping() {
                Err(SearchError::Stopped)
            } else {
                Err(SearchError::NotReady)
            }
        });
        self.progress.end_rebuild(outcome.is_err());
        outcome
    }

    /// Returns the number of documents of each content type, by its code. Reads a column of the
    /// whole index.
    pub fn count_by_kind(&self) -> Result<[u64; 7], SearchError> {
        self.with_index(|index| {
            let mut counts = [0; 7];
            for_each_record(&index.searcher(), |kind, _, _, _| {
                counts[usize::from(kind.code())] += 1
            })?;
            Ok(counts)
        })
    }

    /// Compares the index with the store. Blocks.
    pub fn verify(&self) -> Result<Report, SearchError> {
        verify(self.index()?.as_ref(), &self.store)
    }

    /// Compares the index in this directory with the store; another process may have it open. Only
    /// reads. Fails with [`SearchError::Damaged`] if the checksum of a file is wrong.
    pub fn verify_index(folder: &Path, store: &Store) -> Result<Report, SearchError> {
        let index = Index::open_current(folder, &Arc::new(IndexConfig::embedded()?))?;
        if !index.has_valid_checksums()? {
            return Err(SearchError::Damaged);
        }
        verify(&index, store)
    }

    /// Returns the state of the index.
    pub fn status(&self) -> Status {
        let searcher = self.current.load().as_ref().map(|index| index.searcher());
        let rebuilt = self.progress.rebuilt();
        Status {
            indexed: self.progress.indexed(),
            documents: searcher.as_ref().map_or(0, |searcher| searcher.num_docs()),
            segments: searcher.map_or(0, |searcher| searcher.segment_readers().len()),
            rebuilding: rebuilt.is_some(),
            rebuilt: rebuilt.unwrap_or(0),
            rebuild_failed: self.progress.has_rebuild_failed(),
            generation: self.progress.generation(),
        }
    }

    /// Returns the directory of the current generation, for measurements.
    pub fn directory(&self) -> Option<PathBuf> {
        self.index_dir
            .current()
            .ok()
            .flatten()
            .map(|generation| self.index_dir.directory(generation))
    }

    /// Indexes the changes of the store until [`Search::stop`]. Blocks, so it needs its own thread.
    /// Returns at once if it was called before.
    pub fn run_indexer(&self) {
        let indexer = self
            .indexer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some((indexer, _lock)) = indexer {
            indexer.run();
        }
        let rebuilder = self
            .rebuilder
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if rebuilder.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the rebuild of the search index panicked");
        }
    }

    /// Makes [`Search::run_indexer`] return after a last commit.
    pub fn stop(&self) {
        self.progress.stop();
    }

    /// Returns the limits of a search.
    pub fn bounds(&self) -> &Bounds {
        &self.config.bounds
    }

    /// Runs work on the index. If tantivy fails because the index is damaged, it is rebuilt, and
    /// the caller has to try again later.
    pub(crate) fn with_index<T>(
        &self,
        work: impl FnOnce(&Index) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let index = self.index()?;
        let limit = self.config.bounds.milliseconds;
        let guard = DeadlineGuard::start(Duration::from_millis(limit));
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&index)));
        drop(guard);
        let problem = match outcome {
            Ok(Err(SearchError::Tantivy(error))) if is_timeout(&error) && is_request_over() => {
                return Err(SearchError::TimedOut);
            }
            Ok(Err(SearchError::Tantivy(error))) if is_timeout(&error) => {
                return Err(SearchError::TooSlow(limit));
            }
            Ok(Err(error)) if error.is_shortage() => return Err(not_ready(&error)),
            Ok(Err(SearchError::Tantivy(error))) => error.to_string(),
            Ok(outcome) => return outcome,
            Err(_) => "a search panicked".to_owned(),
        };
        if index.is_intact().map_err(|error| not_ready(&error))? {
            return Err(SearchError::Internal(problem));
        }
        tracing::error!(problem, "the search index is damaged and will be rebuilt");
        let current = self.current.load_full();
        if current.is_some_and(|current| Arc::ptr_eq(&current, &index)) {
            self.current.store(None);
        }
        self.progress.report_damage();
        Err(SearchError::NotReady)
    }

    pub(crate) fn index(&self) -> Result<Arc<Index>, SearchError> {
        self.current.load_full().ok_or(SearchError::NotReady)
    }
}

/// Logs that a search lacked resources, and returns the error for the caller.
fn not_ready(error: &SearchError) -> SearchError {
    tracing::warn!(error = %error, "a search failed for lack of file descriptors, memory or disk space");
    SearchError::NotReady
}

#[cfg(test)]
mod tests;
