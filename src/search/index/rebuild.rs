//! Builds a new index from the store, while the current one is searched.

use std::path::Path;
use std::sync::Arc;

use super::Index;
use super::background::run_in_background;
use super::commit_meta::CommitMeta;
use super::generations::IndexDir;
use crate::error::SearchError;
use crate::schema::config::IndexConfig;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::data_folder::file_mode;
use quarry_store::data_folder::folder_lock::FolderLock;
use quarry_store::index_feed::{epochs, indexed_records};
use quarry_store::transaction::changes;
use quarry_store::{Read, Store, StoreError};

/// Number of records that are read at once.
const PAGE_SIZE: usize = 1_000;

/// Builds the next generation, makes it current, and returns its number. `progress` receives the
/// number of documents so far, and stops the rebuild by returning `false`.
///
/// While another index `is_searched`, the rebuild has a low scheduling priority.
pub(crate) fn rebuild(
    index_dir: &IndexDir,
    store: &Store,
    config: &Arc<IndexConfig>,
    is_searched: bool,
    progress: impl FnMut(u64) -> bool + Send,
) -> Result<u64, SearchError> {
    if is_searched {
        run_in_background(|| rebuild_now(index_dir, store, config, progress))?
    } else {
        rebuild_now(index_dir, store, config, progress)
    }
}

fn rebuild_now(
    index_dir: &IndexDir,
    store: &Store,
    config: &Arc<IndexConfig>,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<u64, SearchError> {
    let _lock = index_dir.lock_builder()?;
    let generation = index_dir.next_generation()?;
    let directory = index_dir.directory(generation);
    file_mode::create_dir(&directory)?;
    let outcome = Index::create(&directory, Arc::clone(config))
        .and_then(|index| add_records(&index, store, &mut progress))
        .and_then(|()| index_dir.set_current(generation));
    if outcome.is_err() {
        let _ = std::fs::remove_dir_all(&directory); // remains are removed with the next generation
    }
    outcome.map(|()| generation)
}

/// Indexes all records of a store in memory.
pub fn index_in_memory(store: &Store, config: &Arc<IndexConfig>) -> Result<Index, SearchError> {
    let index = Index::in_memory(Arc::clone(config))?;
    add_records(&index, store, &mut |_| true)?;
    index.reload()?;
    Ok(index)
}

/// Adds all records of a store to a new index.
fn add_records(
    index: &Index,
    store: &Store,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), SearchError> {
    // Later changes are indexed again when the generation is opened.
    let (change, epoch) = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
        let change = changes::last(db)?;
        Ok((change, epochs::token_at(db, change)?))
    })?;
    let mut writer = index.bulk_writer()?;
    let mut documents = 0;
    for kind in Kind::ALL {
        let mut after = 0;
        loop {
            let page = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
                indexed_records::load_page(db, kind, after, PAGE_SIZE)
            })?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for source in &page {
                writer.add(index.document(source))?;
            }
            documents += page.len() as u64;
            if !progress(documents) {
                return Err(SearchError::Stopped);
            }
        }
    }
    writer.commit(
        &CommitMeta {
            fingerprint: index.config().fingerprint.clone(),
            change,
            epoch,
        }
        .to_string(),
    )?;
    writer.close()?;
    Ok(())
}

/// Whether there is a complete index in this directory.
pub fn index_exists(folder: &Path) -> bool {
    folder.exists()
        && IndexDir::open(folder).is_ok_and(|index_dir| matches!(index_dir.current(), Ok(Some(_))))
}

/// Rebuilds the index. A running service switches to the new one within a second. `progress`
/// receives the number of documents so far. Fails when another rebuild is running.
pub fn rebuild_index(
    folder: &Path,
    store: &Store,
    mut progress: impl FnMut(u64) + Send,
) -> Result<(), SearchError> {
    let index_dir = IndexDir::open(folder)?;
    let generation = rebuild(
        &index_dir,
        store,
        &Arc::new(IndexConfig::embedded()?),
        FolderLock::is_held(store.folder()),
        |documents| {
            progress(documents);
            true
        },
    )?;
    if FolderLock::is_held(store.folder()) {
        return Ok(()); // the service removes the old generation
    }
    match index_dir.try_lock_writer()? {
        Some(_lock) => index_dir.remove_old(generation),
        None => Ok(()), // as above
    }
}
