//! The whole index anew from the store, beside the one that is searched.

use std::path::Path;
use std::sync::Arc;

use super::background::run_in_background;
use super::error::SearchError;
use super::generation::Home;
use super::index::Index;
use super::mapping::Mapping;
use super::mark::Mark;
use super::writer::Writer;
use crate::domain::kind::Kind;
use crate::store::{Read, Store, StoreError, changes, file_mode, histories, searchable};

/// How many records are read at once.
const PAGE: usize = 1_000;

/// Makes the next generation and names it current; the number of the generation. `seen` is told how many documents there are
/// so far, and stops the work with `false`.
///
/// While another index `is_searched`, the work has a low scheduling priority.
pub(super) fn rebuild(
    home: &Home,
    store: &Store,
    mapping: &Arc<Mapping>,
    is_searched: bool,
    seen: impl FnMut(u64) -> bool + Send,
) -> Result<u64, SearchError> {
    if is_searched { run_in_background(|| rebuild_here(home, store, mapping, seen))? } else { rebuild_here(home, store, mapping, seen) }
}

fn rebuild_here(home: &Home, store: &Store, mapping: &Arc<Mapping>, mut seen: impl FnMut(u64) -> bool) -> Result<u64, SearchError> {
    let _building = home.build()?;
    let generation = home.next()?;
    let directory = home.directory(generation);
    file_mode::create_dir(&directory)?;
    let built = build(&directory, store, mapping, &mut seen).and_then(|()| home.name(generation));
    if built.is_err() {
        let _ = std::fs::remove_dir_all(&directory); // what is left of it is removed with the next generation
    }
    built.map(|()| generation)
}

fn build(directory: &Path, store: &Store, mapping: &Arc<Mapping>, seen: &mut impl FnMut(u64) -> bool) -> Result<(), SearchError> {
    // What changes from here on is indexed again when the generation is opened.
    let (change, history) = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
        let change = changes::last(db)?;
        Ok((change, histories::at(db, change)?))
    })?;
    let index = Index::create(directory, Arc::clone(mapping))?;
    let mut writer = Writer::bulk(&index)?;
    let mut documents = 0;
    for kind in Kind::ALL {
        let mut after = 0;
        loop {
            let page = store.read(|db: &Read<'_>| -> Result<_, StoreError> { searchable::page(db, kind, after, PAGE) })?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for source in &page {
                writer.add(&index, source)?;
            }
            documents += page.len() as u64;
            if !seen(documents) {
                return Err(SearchError::Stopped);
            }
        }
    }
    writer.commit(&Mark { fingerprint: mapping.fingerprint.clone(), change, history }.to_string())?;
    writer.close()?;
    Ok(())
}

/// Whether a running service keeps the index in this folder up to date by itself.
pub fn is_kept(folder: &Path) -> bool {
    Home::is_kept(folder)
}

/// Whether there is an index in this folder that was made to its end.
pub fn is_made(folder: &Path) -> bool {
    folder.exists() && Home::open(folder).is_ok_and(|home| matches!(home.current(), Ok(Some(_))))
}

/// Makes the index anew, with or without a server that keeps it: a running server shows the new one within a second.
/// `seen` is told how many documents there are so far. Fails when another rebuild is under way.
pub fn rebuild_beside(folder: &Path, store: &Store, mut seen: impl FnMut(u64) + Send) -> Result<(), SearchError> {
    let home = Home::open(folder)?;
    let generation = rebuild(&home, store, &Arc::new(Mapping::embedded()?), is_kept(folder), |documents| {
        seen(documents);
        true
    })?;
    match home.keep_now()? {
        Some(_held) => home.tidy(generation),
        None => Ok(()), // its keeper removes the old one
    }
}
