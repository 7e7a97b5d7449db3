//! The search as the rest of the house sees it.

use arc_swap::ArcSwapOption;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::error::SearchError;
use super::explain::Explanation;
use super::generation::{Held, Home};
use super::index::{Answer, Hit, Index, Question};
use super::indexer::Indexer;
use super::mapping::{Bounds, Mapping};
use super::patience::{Patience, is_request_over, is_spent};
use super::progress::Progress;
use super::query::{BadQuery, Query};
use super::rebuild::rebuild;
use super::verify::{Report, verify};
use crate::store::Store;

/// How long a rebuild waits until its index is in use.
const SWITCH: Duration = Duration::from_secs(300);

/// The index over a store, kept up to date by [`Search::follow`]. Share it in an `Arc`.
pub struct Search {
    store: Arc<Store>,
    home: Home,
    mapping: Arc<Mapping>,
    current: Arc<ArcSwapOption<Index>>,
    progress: Arc<Progress>,
    /// Who follows the store, and the right to write here; taken by whoever runs it.
    waiting: Mutex<Option<(Indexer, Held)>>,
}

/// How the index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The last change that searches see; `None` before there is an index.
    pub indexed: Option<i64>,
    /// How many documents there are.
    pub documents: u64,
    /// In how many segments.
    pub segments: usize,
    /// Whether the index is being made anew.
    pub rebuilding: bool,
    /// How many times it has been, counted in its folder.
    pub generation: u64,
}

impl Search {
    /// Opens the index in this folder, to be kept up to date by [`Search::follow`]. An index that is missing, damaged, of another description or
    /// ahead of the store is made anew: at once when there is little, otherwise in the background. Fails when another
    /// process keeps the index.
    pub fn open(folder: &Path, store: Arc<Store>) -> Result<Arc<Search>, SearchError> {
        let mapping = Arc::new(Mapping::embedded()?);
        let home = Home::open(folder)?;
        let held = home.keep()?;
        let (current, progress) = (Arc::new(ArcSwapOption::empty()), Arc::new(Progress::default()));
        let indexer = Indexer {
            store: Arc::clone(&store),
            home: home.clone(),
            mapping: Arc::clone(&mapping),
            progress: Arc::clone(&progress),
            current: Arc::clone(&current),
            sound: AtomicU64::new(0),
        };
        indexer.begin()?;
        Ok(Arc::new(Search { store, home, mapping, current, progress, waiting: Mutex::new(Some((indexer, held))) }))
    }

    /// Reads the words of a question.
    pub fn parse(&self, text: &str) -> Result<Query, BadQuery> {
        Query::parse(text, &self.mapping.bounds)
    }

    /// Answers a question.
    pub fn ask(&self, question: &Question<'_>) -> Result<Answer, SearchError> {
        self.reading(|index| index.ask(question))
    }

    /// Explains hits that it has answered; `None` for a hit without a score.
    pub fn explain(&self, question: &Question<'_>, page: &[Hit]) -> Result<Vec<Option<Explanation>>, SearchError> {
        self.reading(|index| index.explain(question, page))
    }

    /// Whether searches see this change.
    pub fn has_reached(&self, change: i64) -> bool {
        self.progress.indexed().is_some_and(|indexed| indexed >= change)
    }

    /// Whether the index is being rebuilt, or there is none yet.
    pub fn is_rebuilding(&self) -> bool {
        self.progress.is_rebuilding() || self.progress.indexed().is_none()
    }

    /// Whether searches see this change. If not, the index commits it as soon as it can instead of at its usual pace.
    pub fn request(&self, change: i64) -> bool {
        self.progress.wait_until(change, Duration::ZERO)
    }

    /// Waits until searches see this change, at most `patience`; whether they do. Blocks.
    pub fn wait_until(&self, change: i64, patience: Duration) -> bool {
        self.progress.wait_until(change, patience)
    }

    /// Makes the index anew beside the one that is searched, and goes over to it. Blocks; searches go on. `seen` is told how
    /// many documents there are so far.
    pub fn rebuild(&self, mut seen: impl FnMut(u64) + Send) -> Result<(), SearchError> {
        if !self.progress.rebuilding(true) {
            return Err(SearchError::Rebuilding);
        }
        let made = rebuild(&self.home, &self.store, &self.mapping, self.current.load().is_some(), |documents| {
            seen(documents);
            !self.progress.is_stopping()
        });
        let shown = made.map(|generation| self.progress.wait_for_generation(generation, SWITCH));
        self.progress.rebuilding(false);
        if shown? { Ok(()) } else { Err(SearchError::NotReady) }
    }

    /// Compares the index with the store. Blocks.
    pub fn verify(&self) -> Result<Report, SearchError> {
        verify(self.index()?.as_ref(), &self.store)
    }

    /// Compares the index in this folder with the store, whoever keeps it.
    pub fn verify_beside(folder: &Path, store: &Store) -> Result<Report, SearchError> {
        let home = Home::open(folder)?;
        let generation = home.current()?.ok_or(SearchError::NotReady)?;
        verify(&Index::open(&home.directory(generation), Arc::new(Mapping::embedded()?))?, store)
    }

    /// How the index is.
    pub fn status(&self) -> Status {
        let searcher = self.current.load().as_ref().map(|index| index.searcher());
        Status {
            indexed: self.progress.indexed(),
            documents: searcher.as_ref().map_or(0, |searcher| searcher.num_docs()),
            segments: searcher.map_or(0, |searcher| searcher.segment_readers().len()),
            rebuilding: self.progress.is_rebuilding(),
            generation: self.progress.generation(),
        }
    }

    /// Where the files of the index are that is searched now; for measurements beside the service.
    pub fn directory(&self) -> Option<PathBuf> {
        self.home.current().ok().flatten().map(|generation| self.home.directory(generation))
    }

    /// Follows the store until [`Search::stop`]; blocks, so it wants a thread of its own. Returns at once when it runs already
    /// or has run.
    pub fn follow(&self) {
        let taken = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((indexer, _held)) = taken {
            indexer.run();
        }
    }

    /// Asks [`Search::follow`] to return after its last commit.
    pub fn stop(&self) {
        self.progress.stop();
    }

    /// What a question may ask at most.
    pub fn bounds(&self) -> &Bounds {
        &self.mapping.bounds
    }

    /// Reads the index, as far as it can be read: where the engine fails over a damaged index, that is made anew, and whoever asked
    /// asks again later.
    pub(super) fn reading<T>(&self, work: impl FnOnce(&Index) -> Result<T, SearchError>) -> Result<T, SearchError> {
        let index = self.index()?;
        let limit = self.mapping.bounds.milliseconds;
        let patience = Patience::begin(Duration::from_millis(limit));
        let worked = catch_unwind(AssertUnwindSafe(|| work(&index)));
        drop(patience);
        let problem = match worked {
            Ok(Err(SearchError::Engine(error))) if is_spent(&error) && is_request_over() => return Err(SearchError::TimedOut),
            Ok(Err(SearchError::Engine(error))) if is_spent(&error) => return Err(SearchError::TooSlow(limit)),
            Ok(Err(error)) if error.is_shortage() => return Err(short(&error)),
            Ok(Err(SearchError::Engine(error))) => error.to_string(),
            Ok(outcome) => return outcome,
            Err(_) => "a question broke down".to_owned(),
        };
        let check = || Ok(index.is_whole()? && index.is_sound()?);
        if check().map_err(|error: SearchError| short(&error))? {
            return Err(SearchError::BrokeDown(problem));
        }
        tracing::error!(problem, "the search index is damaged and is made anew");
        let now = self.current.load_full();
        if now.is_some_and(|now| Arc::ptr_eq(&now, &index)) {
            self.current.store(None);
        }
        self.progress.damaged();
        Err(SearchError::NotReady)
    }

    pub(super) fn index(&self) -> Result<Arc<Index>, SearchError> {
        self.current.load_full().ok_or(SearchError::NotReady)
    }
}

/// What is answered when a resource is too short for a search.
fn short(error: &SearchError) -> SearchError {
    tracing::warn!(error = %error, "a search failed because a resource is short");
    SearchError::NotReady
}

#[cfg(test)]
mod tests;
