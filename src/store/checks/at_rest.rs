//! A SQLite store that no process uses. It is read without locks, so that no file changes; afterwards
//! the caller checks that nothing was written meanwhile.

use crate::StoreLocation;
use crate::data_folder::folder_lock::FolderLock;
use crate::data_folder::location::FILE;
use std::path::PathBuf;
use std::time::SystemTime;

/// The size and the time of the last change of a file; `None` if it is missing.
type FileState = Option<(u64, Option<SystemTime>)>;

/// The files of a store that no process used when this was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreAtRest {
    folder: PathBuf,
    /// The states of the database and of its log.
    states: [FileState; 2],
}

impl StoreAtRest {
    /// Returns the state of the files; `None` if a service runs, if another command may have to repair
    /// the file first, or for a store on a server.
    pub fn find(location: &StoreLocation) -> Option<StoreAtRest> {
        if location.server.is_some() || !cfg!(unix) {
            return None;
        }
        let folder = location.folder.clone();
        let has_journal = folder.join(format!("{FILE}-journal")).exists();
        if FolderLock::is_held(&folder) || has_journal {
            return None;
        }
        let store = StoreAtRest {
            states: file_states(&folder),
            folder,
        };
        store.states[0]
            .is_some_and(|(size, _)| size > 0)
            .then_some(store)
    }

    /// Whether no process has written, or may have begun to.
    pub fn is_unchanged(&self) -> bool {
        !FolderLock::is_held(&self.folder) && file_states(&self.folder) == self.states
    }
}

fn file_states(folder: &std::path::Path) -> [FileState; 2] {
    [FILE.to_owned(), format!("{FILE}-wal")].map(|name| {
        let metadata = std::fs::metadata(folder.join(name)).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    })
}
