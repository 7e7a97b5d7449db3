//! Follows the changes of the store: one thread, one writer. What has changed is taken in at once, and committed as soon as somebody
//! waits for it; where nobody does, commits are a moment apart, for each of them costs as much as many records.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;

use super::background::run_in_background;
use super::error::SearchError;
use super::generation::Home;
use super::index::Index;
use super::mapping::Mapping;
use super::mark::Mark;
use super::progress::Progress;
use super::rebuild::rebuild;
use super::writer::Writer;
use crate::domain::kind::Kind;
use crate::store::{Read, Store, StoreError, changes, histories, searchable};

/// Commits are at least this far apart, and changes are taken in as often.
const APART: Duration = Duration::from_millis(20);
/// Commits for which nobody waits are this far apart.
const UNAWAITED: Duration = Duration::from_millis(250);
/// How long the thread waits for a change before it looks whether it shall end.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often the thread looks whether another process has made a new generation.
const LOOK: Duration = Duration::from_millis(500);
/// How many changes are read at once.
const BATCH: usize = 200;
/// How much a commit takes in at most, so that long texts do not keep for long what follows them from being found.
const COMMIT: Part = Part { changes: 1_000, bytes: 2 << 20 };
/// With more changes waiting than this, commits are larger.
const BULK: i64 = 5_000;
/// How much a commit takes in then.
const BULK_COMMIT: Part = Part { changes: 20_000, bytes: 64 << 20 };
/// After so many failures in a row the index is made anew.
const FAILURES: u32 = 3;

/// How long the thread waits before it tries again what failed because a resource was short, or the store could not be read.
const SHORTAGE_PAUSE: Duration = Duration::from_secs(2);

/// A part of the changes that wait: so many of them, or so many bytes of text.
#[derive(Clone, Copy, Default)]
struct Part {
    changes: usize,
    bytes: usize,
}

/// What the indexing thread works on.
pub(super) struct Indexer {
    pub store: Arc<Store>,
    pub home: Home,
    pub mapping: Arc<Mapping>,
    pub progress: Arc<Progress>,
    /// What is searched; filled as soon as there is an index.
    pub current: Arc<ArcSwapOption<Index>>,
    /// The generation that was just made, or whose checksums were found right, so that they are not computed again; 0 for none.
    pub sound: AtomicU64,
}

/// A generation that was opened: its number, its index, and the last change in it.
type Opened = (u64, Index, i64);

/// Says why an index is made anew.
fn tell(unusable: Result<Option<Opened>, SearchError>) {
    if let Err(error) = unusable {
        tracing::warn!(error = %error, "the search index cannot be used and is made anew");
    }
}

/// A generation with its writer.
fn to_write((generation, index, change): Opened) -> Result<Open, SearchError> {
    let writer = Writer::open(&index)?;
    Ok(Open { generation, index: Arc::new(index), writer, change, taken: change })
}

/// Logs that indexing waits for a resource.
fn tell_shortage(error: &SearchError) {
    tracing::warn!(error = %error, "file descriptors, memory or disk space are short; the search index is kept and indexing is tried again");
}

/// An open generation with its writer. What is dropped later comes later.
struct Open {
    generation: u64,
    index: Arc<Index>,
    writer: Writer,
    /// The last change that is committed.
    change: i64,
    /// The last change that the writer knows of.
    taken: i64,
}

impl Indexer {
    /// Shows the current generation if it can be searched as it is. Otherwise a new one is made first where that is a matter of moments,
    /// or else by [`Indexer::run`].
    pub fn begin(&self) -> Result<(), SearchError> {
        match self.sound_index() {
            Ok(Some((generation, index, change))) => self.show(generation, Arc::new(index), change),
            Err(error) if self.is_shortage(&error) => tell_shortage(&error),
            unusable if self.store.last_change() <= BULK => {
                tell(unusable);
                self.anew()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a shortage of resources is the reason for an error. Where the engine does not tell the reason, resources that are
    /// short now are taken for it.
    fn is_shortage(&self, error: &SearchError) -> bool {
        error.is_shortage() || (error.hides_cause() && self.home.is_short())
    }

    /// Makes a new generation and shows it.
    fn anew(&self) -> Result<(), SearchError> {
        self.progress.rebuilding(true);
        let made = rebuild(&self.home, &self.store, &self.mapping, self.current.load().is_some(), |_| !self.progress.is_stopping());
        self.progress.rebuilding(false);
        made?;
        let (generation, index, change) = self.current_index()?.ok_or(SearchError::Foreign)?;
        self.show(generation, Arc::new(index), change);
        self.sound.store(generation, Ordering::Relaxed);
        Ok(())
    }

    /// The current generation with the last change in it, if it can be searched as it is: all of it is read for that. Fails when it cannot;
    /// `None` when there is none.
    fn sound_index(&self) -> Result<Option<Opened>, SearchError> {
        let Some((generation, index, change)) = self.current_index()? else { return Ok(None) };
        let sound = self.sound.load(Ordering::Relaxed) == generation || index.is_sound()?;
        self.sound.store(if sound { generation } else { 0 }, Ordering::Relaxed);
        if sound { Ok(Some((generation, index, change))) } else { Err(SearchError::Damaged) }
    }

    /// The current generation with the last change in it; `None` when there is none.
    fn current_index(&self) -> Result<Option<Opened>, SearchError> {
        let Some(generation) = self.home.current()? else { return Ok(None) };
        let index = Index::open(&self.home.directory(generation), Arc::clone(&self.mapping))?;
        let mark = index.mark()?.ok_or(SearchError::Foreign)?;
        // An index of another history mirrors records that are not these: it is ahead of the store (power loss, a restored backup), it
        // was ahead of it, or it belongs to another store.
        if mark != self.mark(mark.change)? || mark.history.is_empty() {
            return Err(SearchError::Foreign);
        }
        Ok(Some((generation, index, mark.change)))
    }

    /// The mark of an index that has every change of the store up to this one.
    fn mark(&self, change: i64) -> Result<Mark, SearchError> {
        let history = self.store.read(|db| histories::at(db, change))?;
        Ok(Mark { fingerprint: self.mapping.fingerprint.clone(), change, history })
    }

    /// The current generation with its writer, while another generation is searched and followed: looking up what every question needs
    /// gives way to searches.
    fn open_beside(&self) -> Result<Option<Open>, SearchError> {
        let Some(found) = self.current_index()? else { return Ok(None) };
        run_in_background(|| found.1.warm())??;
        to_write(found).map(Some)
    }

    fn show(&self, generation: u64, index: Arc<Index>, change: i64) {
        self.current.store(Some(index));
        self.tidy(generation);
        self.progress.reached(change, generation);
    }

    fn tidy(&self, generation: u64) {
        if let Err(error) = self.home.tidy(generation) {
            tracing::warn!(error = %error, "old generations of the search index could not be removed");
        }
    }

    /// Runs until the end is asked for. What fails is tried again with a new writer, and at last with a new index.
    pub fn run(&self) {
        let mut failures = 0;
        while !self.progress.is_stopping() {
            // tantivy breaks down over what it cannot read; that must not be the end of indexing.
            let worked = catch_unwind(AssertUnwindSafe(|| {
                let index = if failures >= FAILURES { Ok(None) } else { self.sound_index() };
                let open = match index {
                    Ok(Some(found)) => Some(to_write(found)?),
                    Err(error) if self.is_shortage(&error) => return Err(error),
                    unusable => {
                        tell(unusable);
                        self.anew()?;
                        self.current_index()?.map(to_write).transpose()?
                    }
                };
                open.map_or(Ok(()), |open| self.follow(open, &mut failures))
            }));
            self.sound.store(0, Ordering::Relaxed);
            match worked.unwrap_or_else(|_| Err(SearchError::BrokeDown("while it was indexing".to_owned()))) {
                Ok(()) | Err(SearchError::Stopped) => {}
                Err(SearchError::Damaged) => tracing::warn!("files of the search index are gone or altered; it is made anew"),
                // A new index would need still more of what is short; the old one is searched meanwhile.
                Err(error) if self.is_shortage(&error) => {
                    tell_shortage(&error);
                    self.progress.pause(SHORTAGE_PAUSE);
                }
                // That records cannot be read says nothing about the index.
                Err(SearchError::Store(error)) => {
                    tracing::error!(error = %error, "the records to be indexed cannot be read; indexing is tried again");
                    self.progress.pause(SHORTAGE_PAUSE);
                }
                Err(error) => {
                    failures += 1;
                    tracing::error!(error = %error, index.failures = failures, "indexing failed");
                    self.progress.pause(Duration::from_millis(100 << failures.min(8)));
                }
            }
        }
    }

    /// Follows the changes with one writer.
    fn follow(&self, open: Open, failures: &mut u32) -> Result<(), SearchError> {
        std::thread::scope(|scope| self.follow_in(scope, open, failures))
    }

    #[allow(clippy::disallowed_methods, reason = "distances between commits are real time, not the time of records")]
    fn follow_in<'s>(&'s self, scope: &'s Scope<'s, '_>, mut open: Open, failures: &mut u32) -> Result<(), SearchError> {
        // After a failure it may be behind what searches have seen.
        let seen = self.progress.indexed().map_or(0, |indexed| indexed.min(self.store.last_change()));
        while open.change < seen && !self.progress.is_stopping() {
            self.catch_up(&mut open)?;
        }
        self.show(open.generation, Arc::clone(&open.index), open.change);
        let (mut looked, mut committed) = (Instant::now(), None::<Instant>);
        let mut opening: Option<ScopedJoinHandle<'_, Result<Option<Open>, SearchError>>> = None;
        loop {
            if let Some(opened) = opening.take_if(|opening| opening.is_finished()) {
                open = self.switched(scope, open, opened.join().unwrap_or_else(|panic| resume_unwind(panic)))?;
            }
            if self.progress.is_stopping() {
                if open.taken > open.change {
                    self.commit(&mut open)?;
                }
                open.writer.close()?;
                return Ok(());
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                if opening.is_none() && self.home.current()? != Some(open.generation) {
                    let thread = Builder::new().name("opening".to_owned());
                    opening = Some(thread.spawn_scoped(scope, || self.open_beside())?);
                }
                // Its folder may have been removed, or replaced by that of another index.
                if !open.index.is_whole()? || open.index.mark()? != Some(self.mark(open.change)?) {
                    *failures = FAILURES;
                    return Err(SearchError::Damaged);
                }
            }
            if self.progress.was_damaged() {
                *failures = FAILURES;
                return Err(SearchError::Damaged);
            }
            if open.taken == open.change && self.store.wait_for_change(open.change, PATIENCE) <= open.change {
                continue;
            }
            let since = committed.map_or(UNAWAITED, |at| at.elapsed());
            if since < APART {
                self.progress.pause(APART - since);
            }
            let waiting = self.store.last_change() - open.taken;
            self.take_in(&mut open)?;
            if since < UNAWAITED && waiting <= BULK && !self.progress.is_awaited(open.change) {
                self.progress.wait_until_awaited(open.change, APART);
                continue;
            }
            committed = Some(Instant::now());
            self.commit(&mut open)?;
            self.progress.reached(open.change, open.generation);
            *failures = 0;
        }
    }

    /// Goes over to the generation that was named by whoever made it, when it can be used.
    fn switched<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        before: Open,
        opened: Result<Option<Open>, SearchError>,
    ) -> Result<Open, SearchError> {
        let mut open = match opened {
            Ok(Some(open)) => open,
            Ok(None) | Err(SearchError::Foreign) => {
                tracing::warn!("the new search index cannot be used; the old one is kept");
                self.home.name(before.generation)?;
                return Ok(before);
            }
            Err(error) => return Err(error),
        };
        while open.change < before.change && !self.progress.is_stopping() {
            self.catch_up(&mut open)?;
        }
        let (generation, change) = (open.generation, open.change);
        self.current.store(Some(Arc::clone(&open.index)));
        self.progress.reached(change, generation);
        tracing::info!(index.generation = generation, "a new search index is in use");
        Builder::new().name("closing".to_owned()).spawn_scoped(scope, move || self.put_away(before, generation))?;
        Ok(open)
    }

    /// Ends what the generation before was followed with, which may take a while, and removes it.
    fn put_away(&self, before: Open, now: u64) {
        if let Err(error) = before.writer.close() {
            tracing::warn!(error = %error, "the last search index could not be closed");
        }
        drop(before.index);
        self.tidy(now);
    }

    /// Takes in what has changed and commits it: all of it, or a large part when very much is waiting.
    fn catch_up(&self, open: &mut Open) -> Result<(), SearchError> {
        self.take_in(open)?;
        self.commit(open)
    }

    /// Puts what has changed into the writer: all of it, or a part when much is waiting.
    fn take_in(&self, open: &mut Open) -> Result<(), SearchError> {
        let most = if self.store.last_change() - open.taken > BULK { BULK_COMMIT } else { COMMIT };
        let mut taken = Part::default();
        loop {
            let (next, batch) = self.batch(open, open.taken)?;
            open.taken = next;
            taken = Part { changes: taken.changes + batch.changes, bytes: taken.bytes + batch.bytes };
            if batch.changes < BATCH || taken.changes >= most.changes || taken.bytes >= most.bytes {
                return Ok(());
            }
        }
    }

    /// Commits what was taken in, under its mark, and lets searches see it.
    fn commit(&self, open: &mut Open) -> Result<(), SearchError> {
        open.writer.commit(&self.mark(open.taken)?.to_string())?;
        open.index.reload()?;
        open.change = open.taken;
        Ok(())
    }

    /// Puts a batch of changed records into the writer; up to which change, and how much that was.
    fn batch(&self, open: &Open, after: i64) -> Result<(i64, Part), SearchError> {
        let (reached, changes, parts) = self.store.read(|db: &Read<'_>| -> Result<_, StoreError> {
            let changes = changes::after(db, after, BATCH)?;
            let reached = match changes.last() {
                Some(last) if changes.len() == BATCH => last.seq,
                _ => changes::last(db)?,
            };
            let mut parts = Vec::new();
            for kind in Kind::ALL {
                let ids: Vec<i64> = changes.iter().filter(|change| change.kind == kind).map(|change| change.id).collect();
                if !ids.is_empty() {
                    parts.extend(searchable::parts(db, kind, ids)?.into_iter().map(|ids| (kind, ids)));
                }
            }
            Ok((reached, changes, parts))
        })?;
        for change in &changes {
            open.writer.remove(&open.index, change.kind, change.id);
        }
        // Long texts are read in parts. A record that has changed meanwhile comes again with a later batch.
        let mut bytes = 0;
        for (kind, ids) in parts {
            for source in self.store.read(|db: &Read<'_>| searchable::load(db, kind, &ids))? {
                bytes += source.text_bytes();
                open.writer.add(&open.index, &source)?;
            }
        }
        Ok((reached.max(after), Part { changes: changes.len(), bytes }))
    }
}
