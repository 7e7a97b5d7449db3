//! Opens the index of another process to read it.

use super::Index;
use super::generations::IndexDir;
use crate::error::SearchError;
use crate::schema::config::IndexConfig;
use std::path::Path;
use std::sync::Arc;

/// Number of attempts to open a generation while another process replaces it.
const ATTEMPTS: u32 = 3;

impl Index {
    /// Opens the current generation in this directory, which another process may have open. Only
    /// reads.
    ///
    /// # Errors
    /// `NotReady` if there is none.
    pub fn open_current(folder: &Path, config: &Arc<IndexConfig>) -> Result<Index, SearchError> {
        let index_dir = IndexDir::to_read(folder);
        let mut attempts = 1;
        loop {
            let generation = index_dir.current()?.ok_or(SearchError::NotReady)?;
            let directory = index_dir.directory(generation);
            match Index::open(&directory, Arc::clone(config)) {
                Err(SearchError::Tantivy(_) | SearchError::Damaged) if attempts < ATTEMPTS => {
                    attempts += 1;
                }
                outcome => return outcome,
            }
        }
    }
}
