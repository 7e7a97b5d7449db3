//! What files contain: each content once, in the data folder under `files/`, by its SHA-256.
//!
//! A content arrives under a name of its own, is synced, and moves to its place within the transaction that first speaks of
//! it; it is removed within a transaction, when neither that nor what was committed before it speaks of it any more. Only one
//! transaction writes at a time, so a content that somebody speaks of is always there.

use super::{Read, Store, StoreError, Write, attachments, file_mode};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How contents that are on their way are called, with the number of the process and a counter behind it.
const ARRIVING: &str = "arriving";
/// After how long one that does not grow any more is given up: whoever sent it is gone.
const GIVEN_UP: Duration = Duration::from_secs(3600);

fn folder(data: &Path) -> PathBuf {
    data.join("files")
}

/// The content's place: in a folder by the first two digits.
fn place(data: &Path, sha256: &str) -> PathBuf {
    folder(data).join(sha256.get(..2).unwrap_or("00")).join(sha256)
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::Folder(path, error)
}

/// A content on its way in. Dropped before it is whole, it leaves nothing behind.
pub struct Arriving {
    data: PathBuf,
    path: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
}

impl Arriving {
    /// Begins a content in this data folder.
    pub fn begin(data: &Path) -> Result<Arriving, StoreError> {
        static BEGUN: AtomicU64 = AtomicU64::new(0);
        let folder = folder(data);
        file_mode::create_dir(&folder).map_err(failed(&folder))?;
        loop {
            let path = folder.join(format!("{ARRIVING}-{}-{}", std::process::id(), BEGUN.fetch_add(1, Ordering::Relaxed)));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Arriving { data: data.to_owned(), path, file, digest: Sha256::new(), size: 0 }),
                // A process of the same number was killed before, or is at work on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path)(error)),
            }
        }
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).map_err(failed(&self.path))
    }

    /// How many bytes it has so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// There is no more: its bytes are on disk when this returns.
    pub fn finish(self) -> Result<Whole, StoreError> {
        self.file.sync_all().map_err(failed(&self.path))?;
        let sha256 = hex::encode(self.digest.clone().finalize());
        let folder = place(&self.data, &sha256);
        let folder = folder.parent().unwrap_or(&self.data);
        file_mode::create_dir(folder).map_err(failed(folder))?;
        Ok(Whole { sha256, arrived: self })
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        // Where it has moved to its place, there is nothing under this name any more.
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(error = %error, path = %self.path.display(), "a content that did not arrive could not be removed");
        }
    }
}

/// A content that has arrived, but is not yet in its place.
pub struct Whole {
    sha256: String,
    arrived: Arriving,
}

impl Whole {
    /// Its digest, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.arrived.size
    }
}

/// Moves a content to its place. Belongs into the transaction that writes its digest into a record. When that is committed,
/// [`sync`] makes the move last.
pub fn insert(_db: &mut Write<'_>, content: Whole) -> Result<(), StoreError> {
    // The same content from before is replaced: whoever reads it goes on reading, and what a bad disk has spoiled is whole again.
    let place = place(&content.arrived.data, &content.sha256);
    std::fs::rename(&content.arrived.path, &place).map_err(failed(&place))
}

/// Syncs the folders in which this content lies, so that it is found there when the power has gone.
pub fn sync(store: &Store, sha256: &str) -> Result<(), StoreError> {
    let place = place(store.folder(), sha256);
    for folder in place.ancestors().skip(1).take(3) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder))?;
    }
    Ok(())
}

/// The content, if it is there.
pub fn open(store: &Store, sha256: &str) -> Result<Option<File>, StoreError> {
    let place = place(store.folder(), sha256);
    match File::open(&place) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(&place)(error)),
    }
}

/// Removes these contents where no record speaks of them any more; how many were removed. Records that gave them up must have
/// been committed.
pub fn remove_unused(store: &Arc<Store>, contents: Vec<String>) -> Result<usize, StoreError> {
    if contents.is_empty() {
        return Ok(0);
    }
    let committed = Arc::clone(store);
    store.write(move |db| {
        let mut removed = 0;
        for sha256 in contents {
            // A removal that is not committed may yet be undone, so what was committed before counts too; nobody else commits
            // while this is open.
            let used =
                attachments::count_with(db, &sha256)? > 0 || committed.read(|db: &Read<'_>| attachments::count_with(db, &sha256))? > 0;
            let place = place(committed.folder(), &sha256);
            if !used && place.is_file() {
                std::fs::remove_file(&place).map_err(failed(&place))?;
                removed += 1;
            }
        }
        Ok(removed)
    })
}

/// Removes what lies in the folder and is of no use, a part of the folder at a time: contents that no record speaks of, and those that
/// stopped arriving. Ends early when it is not to go on; how many were removed.
pub fn tidy(store: &Arc<Store>, now: SystemTime, go_on: &dyn Fn() -> bool) -> Result<usize, StoreError> {
    let folder = folder(store.folder());
    let mut removed = 0;
    for path in entries(&folder)?.into_iter().take_while(|_| go_on()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(ARRIVING) {
            removed += usize::from(given_up(&path, now) && std::fs::remove_file(&path).is_ok());
        } else if path.is_dir() {
            let names = entries(&path)?.into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
            let unused = store.read(|db: &Read<'_>| unused(db, names.filter(|name| is_digest(name)).collect()))?;
            removed += remove_unused(store, unused)?;
        }
    }
    Ok(removed)
}

fn unused(db: &Read<'_>, names: Vec<String>) -> Result<Vec<String>, StoreError> {
    let mut unused = Vec::new();
    for name in names {
        if attachments::count_with(db, &name)? == 0 {
            unused.push(name);
        }
    }
    Ok(unused)
}

fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn given_up(path: &Path, now: SystemTime) -> bool {
    let changed = std::fs::metadata(path).and_then(|about| about.modified());
    changed.is_ok_and(|changed| now.duration_since(changed).is_ok_and(|age| age > GIVEN_UP))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>().map_err(failed(folder)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(folder)(error)),
    }
}
