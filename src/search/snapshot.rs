//! A state of the index, as searches see it between two commits, with what is looked up in it again and again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tantivy::columnar::{Column, ColumnIndex, ColumnValues};
use tantivy::index::SegmentId;
use tantivy::schema::Field;
use tantivy::{DocId, InvertedIndexReader, Searcher, SegmentReader};

use super::schema::Class;
use super::visibility::{Filter, Verdict};

/// A day in seconds.
const DAY: i64 = 86_400;

/// The postings of a field, one for each segment.
pub(super) type Indexes = Arc<[Arc<InvertedIndexReader>]>;

/// A state of the index. It does not change.
pub(super) struct Snapshot {
    /// The engine's.
    pub searcher: Searcher,
    columns: OnceLock<Vec<Arc<Columns>>>,
    /// Columns of an earlier state: a segment does not change.
    before: HashMap<SegmentId, Arc<Columns>>,
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
    /// The [`Class`] of each document, unpacked: every question asks it of every document that it matches.
    classes: Arc<[Class]>,
    author: Arc<dyn ColumnValues<u64>>,
    assignee: Arc<dyn ColumnValues<u64>>,
    tracker: Arc<dyn ColumnValues<u64>>,
    /// The date of each document, unpacked too.
    dates: Arc<[i64]>,
    /// In which of 256 spans of time that is.
    spans: Arc<[u8]>,
    /// When the first span begins, in seconds since 1970.
    first: i64,
    /// How long each is, in seconds.
    length: i64,
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

fn unpacked<T: PartialOrd + Copy + Default + 'static>(column: &dyn ColumnValues<T>, documents: DocId) -> Vec<T> {
    let mut values = vec![T::default(); documents as usize];
    column.get_range(0, &mut values);
    values
}

impl Columns {
    fn open(reader: &SegmentReader) -> tantivy::Result<Columns> {
        let fast = reader.fast_fields();
        let dates = unpacked(plain(fast.i64("date")?).as_ref(), reader.max_doc());
        let (first, last) = dates.iter().fold((i64::MAX, i64::MIN), |(first, last), date| (first.min(*date), last.max(*date)));
        let length = (last.saturating_sub(first) / 256 + 1).max(DAY);
        Ok(Columns {
            key: plain(fast.u64("key")?),
            classes: unpacked(plain(fast.u64("class")?).as_ref(), reader.max_doc()).into_iter().map(Class).collect(),
            author: plain(fast.u64("author")?),
            assignee: plain(fast.u64("assignee")?),
            tracker: plain(fast.u64("tracker")?),
            spans: dates.iter().map(|date| u8::try_from(date.saturating_sub(first) / length).unwrap_or(u8::MAX)).collect(),
            dates: dates.into(),
            first,
            length,
        })
    }

    /// The class of a document.
    #[inline]
    pub fn class(&self, doc: DocId) -> Class {
        self.classes[doc as usize]
    }

    /// The date that orders and fades a document, in seconds since 1970.
    #[inline]
    pub fn date(&self, doc: DocId) -> i64 {
        self.dates[doc as usize]
    }

    /// In which span of time the date of a document is.
    #[inline]
    pub fn span(&self, doc: DocId) -> u8 {
        self.spans[doc as usize]
    }

    /// When a span of time begins and ends, in seconds since 1970.
    pub fn begins_and_ends(&self, span: u8) -> (i64, i64) {
        let begins = self.first.saturating_add(i64::from(span).saturating_mul(self.length));
        (begins, begins.saturating_add(self.length))
    }

    /// The class of each document.
    pub fn classes(&self) -> Arc<[Class]> {
        Arc::clone(&self.classes)
    }

    /// The class of a document that the filter lets through.
    #[inline]
    pub fn found(&self, filter: &Filter, doc: DocId) -> Option<Class> {
        let class = self.class(doc);
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
        Snapshot { searcher, columns: OnceLock::new(), before: HashMap::new(), indexes: Mutex::default() }
    }

    /// What the engine shows after this state of the same index.
    pub fn next(&self, searcher: Searcher) -> Snapshot {
        let before = match self.columns.get() {
            Some(columns) => self.ids().zip(columns.iter().cloned()).collect(),
            None => self.before.clone(),
        };
        Snapshot { before, ..Snapshot::of(searcher) }
    }

    fn ids(&self) -> impl Iterator<Item = SegmentId> {
        self.searcher.segment_readers().iter().map(SegmentReader::segment_id)
    }

    fn columns(&self) -> tantivy::Result<&[Arc<Columns>]> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns);
        }
        let opened = self.searcher.segment_readers().iter().map(|reader| match self.before.get(&reader.segment_id()) {
            Some(columns) => Ok(Arc::clone(columns)),
            None => Columns::open(reader).map(Arc::new),
        });
        let opened = opened.collect::<tantivy::Result<_>>()?;
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

#[cfg(test)]
pub(super) mod tests;
