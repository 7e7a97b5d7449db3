//! The directory of the index that is being written: what a commit puts into it reaches the disk a moment later, many commits at once.
//!
//! A commit makes some six small files and names them in `meta.json`. Waiting for the disk after each of them takes longer than everything
//! else, and lets those wait who save something at the same time. Here a commit is seen by this process as soon as its files are written,
//! and [`Settling::settle`] replaces `meta.json` on the disk about each second, when the files that it names are there. Until then the one
//! before stays, with all of its files: whoever opens the directory after a crash finds that one, and its mark says from which change on
//! the index goes on.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, META_LOCK, RamDirectory, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

use super::directory::Files;
use super::error::SearchError;
use super::index::Index;
use super::mapping::Mapping;
use super::schema;

/// The file that names the segments of the last commit.
const META: &str = "meta.json";
/// The file that names all files that there are, so that those that are given up can be removed.
const FILES: &str = ".managed.json";
/// How often what was committed is put to the disk.
const EVERY: Duration = Duration::from_secs(1);

/// A directory that puts commits to the disk when it is told to.
#[derive(Clone, Debug)]
pub(super) struct Settling {
    inner: Files,
    path: PathBuf,
    state: Arc<Mutex<State>>,
    /// Held by whoever settles: one at a time.
    turn: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct State {
    /// `meta.json` as this process has written it last.
    newest: Option<Arc<Vec<u8>>>,
    /// Whether that is newer than what is on the disk or on its way.
    unsettled: bool,
    /// The names of all files, as this process has written them last.
    files: Option<Arc<Vec<u8>>>,
    /// `meta.json` on the disk.
    settled: Arc<Vec<u8>>,
    /// The files that it names.
    needed: HashSet<PathBuf>,
    /// The files that are named by what is on its way to the disk, or may have got there although that was said to have failed.
    going: HashSet<PathBuf>,
    /// Files that were written to their end and may not be on the disk.
    unsynced: HashSet<PathBuf>,
    /// Files that are given up, but are named by what is on the disk or on its way.
    doomed: HashSet<PathBuf>,
}

impl State {
    /// Whether a crash may lead back to this file.
    fn needs(&self, file: &Path) -> bool {
        self.needed.contains(file) || self.going.contains(file)
    }
}

/// Whether a file belongs to a segment: its name begins with 32 hexadecimal digits and a dot.
fn is_of_a_segment(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.split_once('.'));
    name.is_some_and(|(segment, _)| segment.len() == 32 && segment.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The files that this `meta.json` names, as the engine reads it. Some of them need not be there: not every segment has all kinds.
fn named(meta: &[u8]) -> tantivy::Result<HashSet<PathBuf>> {
    let directory = RamDirectory::create();
    directory.atomic_write(Path::new(META), meta)?;
    Ok(tantivy::Index::open(directory)?.load_metas()?.list_segment_files())
}

impl Settling {
    /// The directory of an index. Only one may write there. Files of segments that its `meta.json` does not name are what a crash has
    /// left, and are removed: the engine may give their names again.
    pub fn open(path: &Path) -> Result<Settling, SearchError> {
        Settling::over(Files::of(path).map_err(tantivy::TantivyError::from)?, path)
    }

    /// The same over files of which some may be open already: these are not read again.
    pub fn over(inner: Files, path: &Path) -> Result<Settling, SearchError> {
        let settled = Arc::new(std::fs::read(path.join(META))?);
        let needed = named(&settled)?;
        for entry in std::fs::read_dir(path)? {
            let file = PathBuf::from(entry?.file_name());
            if is_of_a_segment(&file) && !needed.contains(&file) {
                gone(std::fs::remove_file(path.join(file)))?;
            }
        }
        inner.forget_all_but(&needed);
        let state = State { settled, needed, ..State::default() };
        Ok(Settling { inner, path: path.to_owned(), state: Arc::new(Mutex::new(state)), turn: Arc::default() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts what was committed last to the disk. What fails is tried again with the next call. Where somebody else has altered
    /// `meta.json`, it is put right.
    pub fn settle(&self) -> io::Result<()> {
        let _alone = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.lock();
        let altered = || std::fs::read(self.path.join(META)).is_ok_and(|found| found != *state.settled);
        if !state.unsettled && !altered() {
            return Ok(());
        }
        let meta = Arc::clone(state.newest.as_ref().unwrap_or(&state.settled));
        let needed = named(&meta).map_err(io::Error::other)?;
        let files: Vec<PathBuf> = state.unsynced.intersection(&needed).cloned().collect();
        let names = state.files.clone();
        state.going.extend(needed.iter().cloned());
        state.unsettled = false;
        drop(state);
        let outcome = self.put(&meta, names.as_deref(), &files);
        let mut state = self.lock();
        if outcome.is_err() {
            state.unsettled = true;
            return outcome;
        }
        for file in &files {
            state.unsynced.remove(file);
        }
        (state.settled, state.needed) = (meta, needed);
        state.going.clear();
        let doomed = std::mem::take(&mut state.doomed);
        let (needed, given_up): (HashSet<_>, HashSet<_>) = doomed.into_iter().partition(|file| state.needs(file));
        state.doomed = needed;
        state.unsynced.retain(|file| !given_up.contains(file));
        drop(state);
        self.remove(given_up)
    }

    /// The files first, then the one that names them.
    fn put(&self, meta: &[u8], names: Option<&Vec<u8>>, files: &[PathBuf]) -> io::Result<()> {
        for file in files {
            // A file that is gone belongs to a segment that was merged into another meanwhile.
            gone(File::options().write(true).open(self.path.join(file)).and_then(|file| file.sync_data()))?;
        }
        if let Some(names) = names {
            self.inner.atomic_write(Path::new(FILES), names)?;
        }
        self.inner.sync_directory()?;
        self.inner.atomic_write(Path::new(META), meta)?;
        self.inner.sync_directory()
    }

    /// Removes files that nothing on the disk names any more. Whoever has read what named them opens them under this lock.
    fn remove(&self, files: HashSet<PathBuf>) -> io::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        drop(self.inner.acquire_lock(&META_LOCK).map_err(io::Error::other)?);
        for file in files {
            if let Err(DeleteError::IoError { io_error, .. }) = self.inner.delete(&file) {
                return Err(io::Error::new(io_error.kind(), io_error));
            }
        }
        Ok(())
    }
}

/// That a file is not there any more is fine.
fn gone(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

impl Directory for Settling {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let mut state = self.lock();
        if state.needs(path) {
            state.doomed.insert(path.to_owned());
            return Ok(());
        }
        state.unsynced.remove(path);
        drop(state);
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = File::options().write(true).create_new(true).open(self.path.join(path));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(Unsynced { file, path: path.to_owned(), state: Arc::clone(&self.state) })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let state = self.lock();
        let newest = match path.to_str() {
            // Where somebody has taken it away from the disk, that is told, so that the index is made anew.
            Some(META) if self.inner.exists(path)? => state.newest.clone(),
            Some(FILES) => state.files.clone(),
            _ => None,
        };
        drop(state);
        newest.map_or_else(|| self.inner.atomic_read(path), |newest| Ok(newest.to_vec()))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let mut state = self.lock();
        match path.to_str() {
            Some(META) => (state.newest, state.unsettled) = (Some(Arc::new(data.to_vec())), true),
            Some(FILES) => state.files = Some(Arc::new(data.to_vec())),
            _ => {
                drop(state);
                return self.inner.atomic_write(path, data);
            }
        }
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

/// A file that is closed without waiting for the disk.
struct Unsynced {
    file: File,
    path: PathBuf,
    state: Arc<Mutex<State>>,
}

impl Write for Unsynced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for Unsynced {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.file.flush()?;
        self.state.lock().unwrap_or_else(PoisonError::into_inner).unsynced.insert(std::mem::take(&mut self.path));
        Ok(())
    }
}

impl Index {
    /// The index in this directory, to be written.
    pub(super) fn open_in(directory: Settling, mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        let (schema, fields) = schema::schema(&mapping);
        let files = directory.inner.clone();
        let inner = tantivy::Index::open(directory)?;
        if inner.schema() != schema {
            return Err(SearchError::Foreign);
        }
        Index::around(inner, fields, mapping, Some(files))
    }
}

/// A thread that settles a directory about each second, and once more when it is dropped.
pub(super) struct Settler {
    working: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Settler {
    /// Starts the thread. Fails when the system gives none.
    pub fn start(directory: Settling) -> io::Result<Settler> {
        let (working, end) = channel::<()>();
        let thread = std::thread::Builder::new().name("settling".to_owned()).spawn(move || {
            loop {
                let ended = end.recv_timeout(EVERY) == Err(RecvTimeoutError::Disconnected);
                if let Err(error) = directory.settle() {
                    tracing::error!(error = %error, "the search index could not be put to the disk; it is tried again");
                }
                if ended {
                    return;
                }
            }
        })?;
        Ok(Settler { working: Some(working), thread: Some(thread) })
    }
}

impl Drop for Settler {
    fn drop(&mut self) {
        self.working.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that puts the search index to the disk had broken down");
        }
    }
}

#[cfg(test)]
mod tests;
