//! The folder of the index: one directory for each generation, and a file that names the current one.
//!
//! ```text
//! index/KEEPER     locked by the process that serves searches and writes what changes
//! index/BUILDER    locked while a new generation is being made, by that process or by another one
//! index/CURRENT    the number of the generation to be searched; replaced as a whole
//! index/12/        a generation: a tantivy index
//! ```
//!
//! A rebuild makes the next generation beside the current one, and then names it in `CURRENT`. The keeper looks at that file
//! at least each second: it opens the new generation, brings it up to the present, shows it and removes the old one. So
//! `quarry index rebuild` works the same with and without a running server, and a crash leaves either the old generation
//! or the new one, never half of one. Locks end with their process.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::SearchError;
use super::shortage::is_shortage_kind;
use crate::store::file_mode;

/// The files beside the generations.
const FILES: [&str; 4] = ["KEEPER", "BUILDER", "CURRENT", "CURRENT.new"];
/// How many files a commit has open at once, about.
const PROBED_FILES: usize = 16;
/// How many bytes a small commit writes, about.
const PROBED_BYTES: usize = 64 * 1024;

/// The folder.
#[derive(Clone, Debug)]
pub(super) struct Home(PathBuf);

/// A lock that ends when it is dropped, or with the process.
#[derive(Debug)]
pub(super) struct Held(#[allow(dead_code, reason = "held, never read")] File);

impl Home {
    /// Makes the folder when it is not there.
    pub fn open(path: &Path) -> Result<Home, SearchError> {
        file_mode::create_dir(path)?;
        file_mode::restrict(path, |name| FILES.contains(&name) || name.parse::<u64>().is_ok());
        Ok(Home(path.to_owned()))
    }

    /// The right to search and write here. Fails when somebody has it; whoever only tidies, or asks for who has it, is waited for.
    pub fn keep(&self) -> Result<Held, SearchError> {
        soon(|| self.keep_now())?.ok_or_else(|| SearchError::InUse(self.0.display().to_string()))
    }

    /// The same when nobody has it at this moment.
    pub fn keep_now(&self) -> Result<Option<Held>, SearchError> {
        self.lock("KEEPER")
    }

    /// Whether a process has that right in this folder. Makes nothing that is not there.
    pub fn is_kept(folder: &Path) -> bool {
        File::open(folder.join("KEEPER")).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The right to make a generation. Fails when one is being made; whoever only tidies is waited for.
    pub fn build(&self) -> Result<Held, SearchError> {
        // Somebody may have removed the folder itself.
        file_mode::create_dir(&self.0)?;
        soon(|| self.lock("BUILDER"))?.ok_or(SearchError::Rebuilding)
    }

    fn lock(&self, name: &str) -> Result<Option<Held>, SearchError> {
        let file = File::options().create(true).truncate(false).write(true).open(self.0.join(name))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Held(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// The directory of a generation.
    pub fn directory(&self, generation: u64) -> PathBuf {
        self.0.join(generation.to_string())
    }

    /// The generation to be searched; `None` when none has been named, or the file is damaged. Fails when a resource is too
    /// short to tell.
    pub fn current(&self) -> Result<Option<u64>, SearchError> {
        match std::fs::read_to_string(self.0.join("CURRENT")) {
            Ok(text) => Ok(text.trim().parse().ok()),
            Err(error) if is_shortage_kind(&error) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// Whether file descriptors or disk space are short at this moment: tries to open and write what a commit needs.
    pub fn is_short(&self) -> bool {
        let path = self.0.join("PROBE");
        let probe = || -> std::io::Result<()> {
            let files = (0..PROBED_FILES).map(|_| File::open(&self.0)).collect::<Result<Vec<_>, _>>()?;
            std::fs::write(&path, vec![0; PROBED_BYTES])?;
            drop(files);
            Ok(())
        };
        let outcome = probe();
        let _ = std::fs::remove_file(&path); // it may not have been made
        outcome.is_err_and(|error| is_shortage_kind(&error))
    }

    /// A number that no generation has had.
    pub fn next(&self) -> Result<u64, SearchError> {
        Ok(self.generations()?.into_iter().chain(self.current()?).max().unwrap_or(0) + 1)
    }

    /// Names the generation to be searched.
    pub fn name(&self, generation: u64) -> Result<(), SearchError> {
        let path = self.0.join("CURRENT.new");
        let mut file = File::create(&path)?;
        writeln!(file, "{generation}")?;
        file.sync_all()?;
        std::fs::rename(path, self.0.join("CURRENT"))?;
        File::open(&self.0)?.sync_all()?;
        Ok(())
    }

    /// Removes every generation but this one, unless one is being made.
    pub fn tidy(&self, keep: u64) -> Result<(), SearchError> {
        let Some(_building) = self.lock("BUILDER")? else { return Ok(()) };
        let current = self.current()?;
        for generation in self.generations()? {
            if generation != keep && Some(generation) != current {
                std::fs::remove_dir_all(self.directory(generation))?;
            }
        }
        Ok(())
    }

    fn generations(&self) -> Result<Vec<u64>, SearchError> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.0)? {
            found.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        Ok(found)
    }
}

/// Tries for a second.
fn soon<T>(attempt: impl Fn() -> Result<Option<T>, SearchError>) -> Result<Option<T>, SearchError> {
    for _ in 0..20 {
        let outcome = attempt()?;
        if outcome.is_some() {
            return Ok(outcome);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(None)
}
