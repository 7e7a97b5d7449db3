//! The swap at the end of a restore: the former entries of the data folder are moved to a subfolder,
//! then the restored ones are moved to their final paths.
//!
//! Invariant: while entries are being moved, the data folder has a marker that describes the swap. It
//! is on disk before the first move and is removed after the last one. A swap that fails is undone. One
//! that was interrupted is undone by the next restore; until then the folder is not opened.

use super::entries::{DATA_ENTRIES, MARKER, REPLACED_PREFIX, RESTORED_ENTRIES, RESTORING};
use super::error::{BackupError, damaged, file_error};
use super::files;
use crate::StoreError;
use crate::data_folder::file_mode;
use std::path::Path;

/// Name of the marker while it is written.
const INCOMPLETE_MARKER: &str = ".restore-incomplete";
/// First line of the marker.
const HEADER: &str = "Quarry restore, format 1";
/// Maximum size of the marker in bytes.
const MAX_MARKER: u64 = 16 * 1024;

/// Fails if a restore was interrupted while it moved entries of this data folder.
pub fn check_complete(folder: &Path) -> Result<(), StoreError> {
    if !files::exists(&folder.join(MARKER)) {
        return Ok(());
    }
    let swap = Swap::load(folder).ok().flatten();
    let by_hand = swap.map_or_else(String::new, |swap| swap.describe_undo(folder));
    Err(StoreError::InterruptedRestore {
        folder: folder.display().to_string(),
        by_hand,
    })
}

/// The moves of a swap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swap {
    /// Name of the subfolder of the former entries; `None` if there are none.
    pub aside: Option<String>,
    /// Names of the former entries, in the order in which they are moved.
    pub former: Vec<String>,
    /// Names of the restored entries, in the order in which they are moved.
    pub restored: Vec<String>,
}

/// Moves a file or folder.
pub type Rename<'r> = &'r mut dyn FnMut(&Path, &Path) -> Result<(), BackupError>;

impl Swap {
    /// Moves the entries. If a move fails, the others are undone.
    ///
    /// # Errors
    /// The error of the move, or [`BackupError::HalfSwapped`] if it could not be undone.
    pub fn run(&self, target: &Path, rename: Rename<'_>) -> Result<(), BackupError> {
        self.mark(target)?;
        let moved = self.move_all(target, rename);
        let Err(error) = moved else {
            return unmark(target);
        };
        match self.undo(target, rename) {
            Ok(()) => Err(error),
            Err(failure) => Err(self.describe_failure(target, &error, &failure)),
        }
    }

    fn move_all(&self, target: &Path, rename: Rename<'_>) -> Result<(), BackupError> {
        if let Some(aside) = &self.aside {
            let aside = target.join(aside);
            file_mode::create_dir(&aside).map_err(file_error(&aside))?;
            for name in &self.former {
                rename(&target.join(name), &aside.join(name))?;
            }
            files::sync(target)?;
        }
        let staging = target.join(RESTORING);
        for name in &self.restored {
            rename(&staging.join(name), &target.join(name))?;
        }
        files::sync(&staging)
    }

    /// Undoes the moves that were made, in reverse order, and removes the marker.
    fn undo(&self, target: &Path, rename: Rename<'_>) -> Result<(), BackupError> {
        let staging = target.join(RESTORING);
        file_mode::create_dir(&staging).map_err(file_error(&staging))?;
        for name in self.restored.iter().rev() {
            if self.is_restored(target, name) {
                rename(&target.join(name), &staging.join(name))?;
            }
        }
        if let Some(aside) = &self.aside {
            let aside = target.join(aside);
            for name in self.former.iter().rev() {
                if files::exists(&aside.join(name)) {
                    rename(&aside.join(name), &target.join(name))?;
                }
            }
            // Only if it is empty.
            let _ = std::fs::remove_dir(&aside);
        }
        files::sync(target)?;
        unmark(target)
    }

    /// Whether the entry of the data folder with this name is the restored one. All former entries are
    /// moved before the first restored one.
    fn is_restored(&self, target: &Path, name: &String) -> bool {
        let is_moved = |aside: &String| files::exists(&target.join(aside).join(name));
        files::exists(&target.join(name))
            && (!self.former.contains(name) || self.aside.as_ref().is_some_and(is_moved))
    }

    /// Describes what a person would have to do instead of [`Swap::undo`].
    fn describe_undo(&self, target: &Path) -> String {
        let restored = self.restored.iter();
        let restored: Vec<&String> = restored
            .filter(|name| self.is_restored(target, name))
            .collect();
        let mut text = "; or by hand: ".to_owned();
        if !restored.is_empty() {
            text.push_str(&format!("move {} out of it, ", list(&restored)));
        }
        if let Some(aside) = &self.aside {
            let aside = target.join(aside).display().to_string();
            text.push_str(&format!("move everything in {aside} back into it, "));
        }
        text.push_str(&format!("and delete {MARKER}"));
        text
    }

    fn describe_failure(
        &self,
        target: &Path,
        error: &BackupError,
        failure: &BackupError,
    ) -> BackupError {
        let (restored, kept): (Vec<&String>, Vec<&String>) = self
            .restored
            .iter()
            .chain(
                self.former
                    .iter()
                    .filter(|name| !self.restored.contains(name)),
            )
            .filter(|name| files::exists(&target.join(name)))
            .partition(|name| self.restored.contains(name) && self.is_restored(target, name));
        let aside = self.aside.as_deref().unwrap_or_default();
        let moved = self.former.iter();
        let moved: Vec<&String> = moved
            .filter(|name| files::exists(&target.join(aside).join(name)))
            .collect();
        BackupError::HalfSwapped {
            error: error.to_string(),
            state: format!(
                "{failure}; {} has the restored {} and the former {}, {} has the former {}",
                target.display(),
                list(&restored),
                list(&kept),
                target.join(aside).display(),
                list(&moved)
            ),
        }
    }

    /// Writes the marker, and syncs it with its folder.
    fn mark(&self, target: &Path) -> Result<(), BackupError> {
        let mut text = format!("{HEADER}\n");
        let aside = self.aside.iter().map(|name| ("aside", name));
        let former = self.former.iter().map(|name| ("former", name));
        let restored = self.restored.iter().map(|name| ("restored", name));
        for (kind, name) in aside.chain(former).chain(restored) {
            text.push_str(&format!("{kind} {name}\n"));
        }
        let incomplete = target.join(INCOMPLETE_MARKER);
        files::remove(&incomplete)?;
        files::write_private(&incomplete, text.as_bytes())?;
        files::rename(&incomplete, &target.join(MARKER))
    }

    /// Loads the marker; `None` if there is none.
    fn load(target: &Path) -> Result<Option<Swap>, BackupError> {
        let path = target.join(MARKER);
        if !files::exists(&path) {
            return Ok(None);
        }
        let bytes = files::read(&path, MAX_MARKER)?;
        let swap = std::str::from_utf8(&bytes).ok().and_then(parse_swap);
        let problem = "it does not describe a restore; move the former data back, and delete it";
        swap.map(Some).ok_or_else(|| damaged(&path, problem))
    }
}

fn list(names: &[&String]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(", ")
}

/// Undoes a swap that was interrupted. The folder must be locked. Returns whether there was one.
pub fn undo_interrupted(target: &Path) -> Result<bool, BackupError> {
    let Some(swap) = Swap::load(target)? else {
        return Ok(false);
    };
    swap.undo(target, &mut files::rename)?;
    files::remove(&target.join(RESTORING))?;
    Ok(true)
}

/// Returns an unused name for the subfolder of the former entries.
pub fn free_aside(target: &Path, time: &str) -> String {
    let name = format!("{REPLACED_PREFIX}{time}");
    let mut free = name.clone();
    for number in 2.. {
        if !files::exists(&target.join(&free)) {
            break;
        }
        free = format!("{name}-{number}");
    }
    free
}

fn parse_swap(text: &str) -> Option<Swap> {
    let mut lines = text.strip_suffix('\n')?.split('\n');
    if lines.next()? != HEADER {
        return None;
    }
    let mut swap = Swap::default();
    for line in lines {
        // The names become parts of paths.
        let is_entry =
            |name: &str| DATA_ENTRIES.contains(&name) || RESTORED_ENTRIES.contains(&name);
        match line.split_once(' ')? {
            ("aside", name) if name.starts_with(REPLACED_PREFIX) && !name.contains('/') => {
                swap.aside = Some(name.to_owned());
            }
            ("former", name) if is_entry(name) => swap.former.push(name.to_owned()),
            ("restored", name) if is_entry(name) => swap.restored.push(name.to_owned()),
            _ => return None,
        }
    }
    Some(swap)
}

fn unmark(target: &Path) -> Result<(), BackupError> {
    files::sync(target)?;
    files::remove(&target.join(MARKER))?;
    files::sync(target)
}

#[cfg(test)]
mod tests;
