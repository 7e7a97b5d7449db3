//! The one hand that writes into an index.

use tantivy::indexer::LogMergePolicy;
use tantivy::schema::TantivyDocument;
use tantivy::{IndexWriter, TantivyError};

use super::error::SearchError;
use super::index::Index;
use crate::domain::kind::Kind;
use crate::store::searchable::Source;

/// Memory of the threads that make an index anew, together, in bytes. With a third of it 200,000 documents of 900 bytes became so many
/// segments that eight of them were merged at the end, in one thread, which took a third of the time.
const MEMORY: usize = 300_000_000;

/// Memory of the thread that writes what changes now and then, in bytes: the least that tantivy takes. A table in proportion to it is
/// made and cleared with each commit.
const LITTLE: usize = 15_000_000;

/// At most so many threads make an index anew.
const THREADS: usize = 4;

/// Segments with more deleted documents than this part are merged: ranking counts them until then.
const DELETED: f32 = 0.3;

/// Segments with fewer documents are taken to be of one size where eight of one size are merged. With the 10,000 of tantivy a segment is
/// written anew every few commits until it has so many.
const SMALL: u32 = 100;

/// Writes documents and commits them.
pub(super) struct Writer {
    inner: IndexWriter<TantivyDocument>,
}

impl Writer {
    /// A writer of one thread, for what changes now and then. Takes the directory's lock, and removes the files that a process left
    /// when it was killed: the engine may choose their names again.
    pub fn open(index: &Index) -> Result<Writer, SearchError> {
        let writer = Writer::of(index, 1, LITTLE)?;
        writer.inner.garbage_collect_files().wait()?;
        Ok(writer)
    }

    /// A writer on all processors, for making an index anew. Takes the directory's lock.
    pub fn bulk(index: &Index) -> Result<Writer, SearchError> {
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(THREADS));
        Writer::of(index, threads, MEMORY)
    }

    fn of(index: &Index, threads: usize, memory: usize) -> Result<Writer, SearchError> {
        let inner = index.inner.writer_with_num_threads(threads, memory)?;
        let mut merging = LogMergePolicy::default();
        merging.set_del_docs_ratio_before_merge(DELETED);
        merging.set_min_layer_size(SMALL);
        inner.set_merge_policy(Box::new(merging));
        Ok(Writer { inner })
    }

    /// Adds a record that the index does not have.
    pub fn add(&self, index: &Index, source: &Source) -> Result<(), SearchError> {
        self.inner.add_document(index.document(source))?;
        Ok(())
    }

    /// Takes a record out.
    pub fn remove(&self, index: &Index, kind: Kind, id: i64) {
        self.inner.delete_term(index.key(kind, id));
    }

    /// Commits everything, under this mark.
    pub fn commit(&mut self, mark: &str) -> Result<(), SearchError> {
        let mut commit = self.inner.prepare_commit()?;
        commit.set_payload(mark);
        commit.commit()?;
        Ok(())
    }

    /// Waits for the merges that still run, and gives the lock back.
    pub fn close(self) -> Result<(), TantivyError> {
        self.inner.wait_merging_threads()
    }
}
