//! The index that `quarry search` searches: that of the data folder, which is only read, or one in memory.

use crate::cli::output::usage_error::UsageError;
use quarry_domain::index_feed::kind::Kind;
use quarry_search::{Index, IndexConfig, SearchError};
use quarry_store::index_feed::indexed_records;
use quarry_store::{Read, Store, StoreError};
use std::path::Path;
use std::sync::Arc;

/// The file of the index that names the folder of its current generation.
const CURRENT: &str = "CURRENT";
/// Number of attempts to open the index while a service replaces it.
const ATTEMPTS: u32 = 3;
/// Number of records that are read at once to index them.
const PAGE_SIZE: usize = 1_000;
/// The files of an index schema: that of the index, and one for each content type.
const SCHEMA_FILES: [&str; 8] = [
    "index.toml",
    "issue.toml",
    "news.toml",
    "document.toml",
    "changeset.toml",
    "wiki_page.toml",
    "message.toml",
    "project.toml",
];

/// Reads and checks the files of an index schema.
pub fn read_schema(folder: &Path) -> anyhow::Result<IndexConfig> {
    let mut texts = Vec::with_capacity(SCHEMA_FILES.len());
    for name in SCHEMA_FILES {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| UsageError(format!("{} cannot be read: {error}", path.display())))?;
        texts.push(text);
    }
    let mut texts = texts.iter();
    let files = SCHEMA_FILES.map(|name| (name, texts.next().map_or("", String::as_str)));
    let config = IndexConfig::parse(files);
    config.map_err(|error| UsageError(format!("{}: {error}", folder.display())).into())
}

/// Opens the current generation of the index, which a service may replace meanwhile.
pub fn open(folder: &Path) -> Result<Index, SearchError> {
    let config = Arc::new(IndexConfig::embedded()?);
    let mut attempts = 1;
    loop {
        let current = std::fs::read_to_string(folder.join(CURRENT)).unwrap_or_default();
        let Ok(generation) = current.trim().parse::<u64>() else {
            return Err(SearchError::NotReady);
        };
        match Index::open(&folder.join(generation.to_string()), Arc::clone(&config)) {
            Err(SearchError::Tantivy(_) | SearchError::Damaged) if attempts < ATTEMPTS => {
                attempts += 1
            }
            outcome => return outcome,
        }
    }
}

/// Indexes all records in memory.
pub fn build(config: &Arc<IndexConfig>, store: &Store) -> Result<Index, SearchError> {
    let index = Index::in_memory(Arc::clone(config))?;
    let mut records = Vec::new();
    for kind in Kind::ALL {
        let mut after = 0;
        loop {
            let page = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
                indexed_records::load_page(db, kind, after, PAGE_SIZE)
            })?;
            let Some(last) = page.last() else { break };
            after = last.id;
            records.extend(page);
        }
    }
    index.add_all(records)?;
    Ok(index)
}
