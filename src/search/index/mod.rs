//! An open index: its directory, writer, reader, and searches over it.
//!
//! Invariant: a search runs over one snapshot, from the query to the page of hits.
//! May import: everything in `search` except the facade.

mod alternatives;
mod background;
mod commit_meta;
mod directory;
pub mod generations;
pub mod indexer;
mod open_current;
pub mod progress;
pub mod rebuild;
mod search;
mod totals;
mod unindexed;
pub mod verify;
pub mod writer;

use arc_swap::ArcSwap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::MmapDirectory;
use tantivy::{Directory, IndexReader, IndexSettings, ReloadPolicy, Searcher, TantivyError, Term};

use crate::analyzer::WordTokenizer;
use crate::error::SearchError;
use crate::execute::result_cache::ResultCache;
use crate::schema::access_class;
use crate::schema::config::IndexConfig;
use crate::schema::document::build_document;
use crate::schema::fields;
use crate::schema::fields::{ANALYZER, Fields};
use crate::snapshot::Snapshot;
use commit_meta::CommitMeta;
use directory::UnsyncedDirectory;
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use quarry_domain::index_feed::kind::Kind;
use writer::Writer;

/// An open index.
pub struct Index {
    pub(crate) inner: tantivy::Index,
    pub(crate) fields: Fields,
    pub(crate) config: Arc<IndexConfig>,
    reader: IndexReader,
    current: ArcSwap<Snapshot>,
    results: ResultCache,
}

impl Index {
    /// Creates an index in memory.
    pub fn in_memory(config: Arc<IndexConfig>) -> Result<Index, SearchError> {
        let (schema, fields) = fields::build_schema(&config);
        Index::from_tantivy(tantivy::Index::create_in_ram(schema), fields, config)
    }

    /// Creates an index in an empty directory. Its commits are durable, so that it can replace
    /// another index.
    pub fn create(directory: &Path, config: Arc<IndexConfig>) -> Result<Index, SearchError> {
        let (schema, fields) = fields::build_schema(&config);
        let directory = MmapDirectory::open(directory).map_err(TantivyError::from)?;
        Index::from_tantivy(
            tantivy::Index::create(directory, schema, IndexSettings::default())?,
            fields,
            config,
        )
    }

    /// Opens the index in this directory. Its commits are not durable. Fails with
    /// [`SearchError::Damaged`] when tantivy panics over the content of the files.
    pub fn open(directory: &Path, config: Arc<IndexConfig>) -> Result<Index, SearchError> {
        catch_unwind(AssertUnwindSafe(|| {
            Index::open_unchecked(directory, config)
        }))
        .unwrap_or(Err(SearchError::Damaged))
    }

    fn open_unchecked(directory: &Path, config: Arc<IndexConfig>) -> Result<Index, SearchError> {
        let (schema, fields) = fields::build_schema(&config);
        let inner =
            tantivy::Index::open(UnsyncedDirectory::open(directory).map_err(TantivyError::from)?)?;
        if inner.schema() != schema {
            return Err(SearchError::Incompatible);
        }
        Index::from_tantivy(inner, fields, config)
    }

    fn from_tantivy(
        inner: tantivy::Index,
        fields: Fields,
        config: Arc<IndexConfig>,
    ) -> Result<Index, SearchError> {
        inner.tokenizers().register(ANALYZER, WordTokenizer);
        let reader = inner
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let current = ArcSwap::from_pointee(Snapshot::new(reader.searcher()));
        Ok(Index {
            inner,
            fields,
            config,
            reader,
            current,
            results: ResultCache::new(),
        })
    }

    /// Returns the configuration of the index.
    pub fn config(&self) -> &IndexConfig {
        &self.config
    }

    /// Whether the files of the last commit exist, without reading them. Fails when resources are
    /// short.
    pub(crate) fn has_all_files(&self) -> Result<bool, SearchError> {
        unless_shortage(self.check_files().map_err(SearchError::from))
    }

    fn check_files(&self) -> Result<bool, TantivyError> {
        let directory = self.inner.directory();
        // A segment does not have every kind of file.
        let managed = directory.list_managed_files();
        let mut missing = self.inner.load_metas()?.list_segment_files();
        missing.retain(|path| managed.contains(path) && !directory.exists(path).unwrap_or(true));
        if missing.is_empty() {
            return Ok(true);
        }
        // A merge may have replaced them meanwhile.
        let current = self.inner.load_metas()?.list_segment_files();
        Ok(current.is_disjoint(&missing))
    }

    /// Whether the checksums of all files of the last commit are valid. Reads all files. Fails when
    /// resources are short.
    pub(crate) fn has_valid_checksums(&self) -> Result<bool, SearchError> {
        unless_shortage(self.check_checksums().map_err(SearchError::from))
    }

    fn check_checksums(&self) -> Result<bool, TantivyError> {
        for path in self.inner.load_metas()?.list_segment_files() {
            let outcome = self.has_valid_checksum(&path);
            if matches!(outcome, Ok(true)) {
                continue;
            }
            // A merge of another process may have replaced it meanwhile.
            if self
                .inner
                .load_metas()?
                .list_segment_files()
                .contains(&path)
            {
                return outcome;
            }
        }
        Ok(true)
    }

    /// Whether the file is missing or has a valid checksum. A segment does not have every kind of file;
    /// opening it fails when a required file is missing.
    fn has_valid_checksum(&self, path: &Path) -> Result<bool, TantivyError> {
        let directory = self.inner.directory();
        Ok(!directory.exists(path)? || directory.validate_checksum(path)?)
    }

    /// Whether all files of the last commit exist and have valid checksums. Fails when resources
    /// are short.
    pub(crate) fn is_intact(&self) -> Result<bool, SearchError> {
        Ok(self.has_all_files()? && self.has_valid_checksums()?)
    }

    /// Returns the metadata of the last commit; `None` when it is not one of ours.
    pub(crate) fn commit_meta(&self) -> Result<Option<CommitMeta>, SearchError> {
        Ok(self
            .inner
            .load_metas()?
            .payload
            .as_deref()
            .and_then(CommitMeta::parse))
    }

    /// Returns the last change of the store that the last commit has.
    pub fn indexed(&self) -> Result<Option<i64>, SearchError> {
        Ok(self.commit_meta()?.map(|meta| meta.change))
    }

    /// Makes the last commit visible to searches.
    pub(crate) fn reload(&self) -> Result<(), SearchError> {
        self.reader.reload()?;
        let next = self.snapshot().next(self.reader.searcher());
        self.current.store(Arc::new(next));
        Ok(())
    }

    /// Loads what every search needs, before the first one.
    pub(crate) fn warm(&self) -> Result<(), SearchError> {
        let snapshot = self.snapshot();
        drop(snapshot.segments()?);
        for text in self.fields.text.iter().chain(&self.fields.titles) {
            snapshot.inverted_indexes(text.field)?;
        }
        Ok(())
    }

    pub(crate) fn searcher(&self) -> Searcher {
        self.current.load().searcher.clone()
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Creates a writer of one thread, for the changes of records. See [`Writer::open`].
    pub(super) fn writer(&self) -> Result<Writer, SearchError> {
        Writer::open(&self.inner)
    }

    /// Creates a writer on several threads, for a rebuild. See [`Writer::bulk`].
    pub(super) fn bulk_writer(&self) -> Result<Writer, SearchError> {
        Writer::bulk(&self.inner)
    }

    /// Adds records, and makes them visible to searches.
    pub fn add_all(
        &self,
        records: impl IntoIterator<Item = IndexedRecord>,
    ) -> Result<(), SearchError> {
        let mut writer = self.bulk_writer()?;
        for record in records {
            writer.add(self.document(&record))?;
        }
        writer.commit("")?;
        writer.close()?;
        self.reload()
    }

    /// Returns the document of a record.
    pub(crate) fn document(&self, record: &IndexedRecord) -> tantivy::TantivyDocument {
        build_document(record, &self.config, &self.fields)
    }

    /// Returns the key term of a record.
    pub(crate) fn key(&self, kind: Kind, id: i64) -> Term {
        Term::from_field_u64(self.fields.key, access_class::record_key(kind, id))
    }
}

/// Converts a failed check of files to `false`, unless it is due to a shortage of resources.
fn unless_shortage(outcome: Result<bool, SearchError>) -> Result<bool, SearchError> {
    match outcome {
        Err(error) if !error.is_shortage() => Ok(false),
        outcome => outcome,
    }
}

#[cfg(test)]
pub(crate) mod tests;
