//! A state of the index, as searches see it between two commits, with what is looked up in it again and again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tantivy::columnar::{Column, ColumnIndex, ColumnValues};
use tantivy::schema::Field;
use tantivy::{DocId, InvertedIndexReader, Searcher, SegmentReader};

use super::remembered::Remembered;
use super::schema::Class;
use super::visibility::{Filter, Verdict};

/// The postings of a field, one for each segment.
pub(super) type Indexes = Arc<[Arc<InvertedIndexReader>]>;

/// A state of the index. It does not change.
pub(super) struct Snapshot {
    /// The engine's.
    pub searcher: Searcher,
    /// The answers that it has given.
    pub remembered: Remembered,
    columns: OnceLock<Vec<Columns>>,
    indexes: Mutex<HashMap<Field, Indexes>>,
}

/// A segment of a state of the index.
#[derive(Clone, Copy)]
pub(super) struct Segment<'s> {
    /// Its place in the index.
    pub place: usize,
    /// The engine's.
    pub reader: &'s SegmentReader,
    /// Its columns.
    pub columns: &'s Columns,
}

/// The columns of a segment that most questions need.
pub(super) struct Columns {
    /// Content type and id.
    pub key: Arc<dyn ColumnValues<u64>>,
    /// See [`Class`].
    pub class: Arc<dyn ColumnValues<u64>>,
    author: Arc<dyn ColumnValues<u64>>,
    assignee: Arc<dyn ColumnValues<u64>>,
    tracker: Arc<dyn ColumnValues<u64>>,
    /// Seconds since 1970.
    pub date: Arc<dyn ColumnValues<i64>>,
}

/// The values of a column that every document has; without the detour over an index of its rows.
pub(super) fn plain<T: PartialOrd + Copy + Default + std::fmt::Debug + Send + Sync + 'static>(
    column: Column<T>,
) -> Arc<dyn ColumnValues<T>> {
    match column.index {
        ColumnIndex::Full => column.values,
        _ => column.first_or_default_col(T::default()),
    }
}

impl Columns {
    fn open(reader: &SegmentReader) -> tantivy::Result<Columns> {
        let fast = reader.fast_fields();
        Ok(Columns {
            key: plain(fast.u64("key")?),
            class: plain(fast.u64("class")?),
            author: plain(fast.u64("author")?),
            assignee: plain(fast.u64("assignee")?),
            tracker: plain(fast.u64("tracker")?),
            date: plain(fast.i64("date")?),
        })
    }

    /// The class of a document that the filter lets through.
    pub fn found(&self, filter: &Filter<'_>, doc: DocId) -> Option<Class> {
        let class = Class(self.class.get_val(doc));
        let found = match filter.verdict(class) {
            Verdict::Allow => true,
            Verdict::Deny => false,
            Verdict::Ask => filter.admits(class, self.author.get_val(doc), self.assignee.get_val(doc), self.tracker.get_val(doc)),
        };
        found.then_some(class)
    }
}

impl Snapshot {
    /// What the engine shows now.
    pub fn of(searcher: Searcher) -> Snapshot {
        Snapshot { searcher, remembered: Remembered::default(), columns: OnceLock::new(), indexes: Mutex::default() }
    }

    fn columns(&self) -> tantivy::Result<&[Columns]> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns);
        }
        let opened = self.searcher.segment_readers().iter().map(Columns::open).collect::<tantivy::Result<_>>()?;
        Ok(self.columns.get_or_init(|| opened))
    }

    /// All segments, in their order.
    pub fn segments(&self) -> tantivy::Result<impl Iterator<Item = Segment<'_>>> {
        let segments = self.searcher.segment_readers().iter().zip(self.columns()?).enumerate();
        Ok(segments.map(|(place, (reader, columns))| Segment { place, reader, columns }))
    }

    /// The postings of a field, segment by segment.
    pub fn indexes(&self, field: Field) -> tantivy::Result<Indexes> {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(indexes) = indexes.get(&field) {
            return Ok(Arc::clone(indexes));
        }
        let readers = self.searcher.segment_readers().iter();
        let opened: Indexes = readers.map(|reader| reader.inverted_index(field)).collect::<tantivy::Result<_>>()?;
        indexes.insert(field, Arc::clone(&opened));
        Ok(opened)
    }
}
