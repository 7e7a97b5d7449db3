//! The writer of an index: memory, threads and merge policy of tantivy's writer.

use tantivy::indexer::LogMergePolicy;
use tantivy::schema::TantivyDocument;
use tantivy::{Index, IndexWriter, TantivyError, Term};

use crate::error::SearchError;

/// Memory of all threads of a rebuild, in bytes. With a third of it, 200,000 documents of 900 bytes
/// became so many segments that eight of them were merged at the end in one thread, which took a
/// third of the time.
const BULK_MEMORY: usize = 300_000_000;

/// Memory of the thread that indexes changes, in bytes: the minimum of tantivy. Each commit
/// allocates and clears a table in proportion to it.
const MEMORY: usize = 15_000_000;

/// Maximum number of threads of a rebuild.
const MAX_BULK_THREADS: usize = 4;

/// Segments with a larger ratio of deleted documents are merged, because ranking counts them until
/// then.
const MAX_DELETED_RATIO: f32 = 0.3;

/// Smaller segments count as one size when eight segments of one size are merged. With the 10,000
/// of tantivy, a segment is rewritten every few commits until it has as many documents.
const MIN_LAYER_SIZE: u32 = 100;

/// Writes documents and commits them.
pub(crate) struct Writer {
    inner: IndexWriter<TantivyDocument>,
}

impl Writer {
    /// Opens a writer of one thread, for changes. Locks the directory, and removes the files of a
    /// killed process, because tantivy may reuse their names.
    pub fn open(index: &Index) -> Result<Writer, SearchError> {
        let writer = Writer::new(index, 1, MEMORY)?;
        writer.inner.garbage_collect_files().wait()?;
        Ok(writer)
    }

    /// Opens a writer of several threads, for a rebuild. Locks the directory.
    pub fn bulk(index: &Index) -> Result<Writer, SearchError> {
        let threads = std::thread::available_parallelism()
            .map_or(1, |cores| cores.get().min(MAX_BULK_THREADS));
        Writer::new(index, threads, BULK_MEMORY)
    }

    fn new(index: &Index, threads: usize, memory: usize) -> Result<Writer, SearchError> {
        let inner = index.writer_with_num_threads(threads, memory)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(MAX_DELETED_RATIO);
        policy.set_min_layer_size(MIN_LAYER_SIZE);
        inner.set_merge_policy(Box::new(policy));
        Ok(Writer { inner })
    }

    /// Adds a document.
    pub fn add(&self, document: TantivyDocument) -> Result<(), SearchError> {
        self.inner.add_document(document)?;
        Ok(())
    }

    /// Deletes the documents with this key.
    pub fn delete(&self, key: Term) {
        self.inner.delete_term(key);
    }

    /// Commits with this payload.
    pub fn commit(&mut self, payload: &str) -> Result<(), SearchError> {
        let mut commit = self.inner.prepare_commit()?;
        commit.set_payload(payload);
        commit.commit()?;
        Ok(())
    }

    /// Waits for running merges, and releases the lock.
    pub fn close(self) -> Result<(), TantivyError> {
        self.inner.wait_merging_threads()
    }
}
