//! A snapshot of the index: its state between two commits, with the data that nearly every search
//! needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tantivy::columnar::ColumnValues;
use tantivy::index::SegmentId;
use tantivy::schema::Field;
use tantivy::{DocId, InvertedIndexReader, Searcher, SegmentReader};

use super::access::filter::{DocFilter, Verdict};
use super::schema::access_class::AccessClass;
use super::schema::columns::dense_values;

/// A day in seconds.
const DAY: i64 = 86_400;

/// The inverted indexes of a field, one per segment.
pub(crate) type InvertedIndexes = Arc<[Arc<InvertedIndexReader>]>;

/// A state of the index, which does not change.
pub(crate) struct Snapshot {
    /// The searcher of tantivy.
    pub searcher: Searcher,
    columns: OnceLock<Vec<Arc<SegmentColumns>>>,
    /// Columns of the previous snapshot, reused because segments do not change.
    previous: HashMap<SegmentId, Arc<SegmentColumns>>,
    inverted_indexes: Mutex<HashMap<Field, InvertedIndexes>>,
}

/// A segment of a snapshot.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'s> {
    /// Its index in the snapshot.
    pub ord: usize,
    /// The reader of tantivy.
    pub reader: &'s SegmentReader,
    pub columns: &'s SegmentColumns,
}

/// The columns of a segment that most searches need.
pub(crate) struct SegmentColumns {
    /// The keys of the records.
    pub key: Arc<dyn ColumnValues<u64>>,
    /// The class of each document, unpacked because every search reads it for every matching
    /// document.
    classes: Arc<[AccessClass]>,
    author: Arc<dyn ColumnValues<u64>>,
    assignee: Arc<dyn ColumnValues<u64>>,
    tracker: Arc<dyn ColumnValues<u64>>,
    /// The date of each document, unpacked too.
    dates: Arc<[i64]>,
    /// The bucket of each date: one of 256 equal intervals.
    date_buckets: Arc<[u8]>,
    /// The start of the first bucket, in seconds since 1970.
    first_date: i64,
    /// The length of a bucket in seconds.
    bucket_len: i64,
}

fn unpack<T: PartialOrd + Copy + Default + 'static>(
    column: &dyn ColumnValues<T>,
    num_docs: DocId,
) -> Vec<T> {
    let mut values = vec![T::default(); num_docs as usize];
    column.get_range(0, &mut values);
    values
}

impl SegmentColumns {
    fn open(reader: &SegmentReader) -> tantivy::Result<SegmentColumns> {
        let fast = reader.fast_fields();
        let dates = unpack(dense_values(fast.i64("date")?).as_ref(), reader.max_doc());
        let first = dates.iter().copied().min().unwrap_or(i64::MAX);
        let last = dates.iter().copied().max().unwrap_or(i64::MIN);
        let bucket_len = (last.saturating_sub(first) / 256 + 1).max(DAY);
        let date_buckets = dates
            .iter()
            .map(|date| u8::try_from(date.saturating_sub(first) / bucket_len).unwrap_or(u8::MAX))
            .collect();
        let classes = unpack(dense_values(fast.u64("class")?).as_ref(), reader.max_doc());
        Ok(SegmentColumns {
            key: dense_values(fast.u64("key")?),
            classes: classes.into_iter().map(AccessClass).collect(),
            author: dense_values(fast.u64("author")?),
            assignee: dense_values(fast.u64("assignee")?),
            tracker: dense_values(fast.u64("tracker")?),
            date_buckets,
            dates: dates.into(),
            first_date: first,
            bucket_len,
        })
    }

    /// Returns the class of a document.
    #[inline]
    pub fn class(&self, doc: DocId) -> AccessClass {
        self.classes[doc as usize]
    }

    /// Returns the date by which a document is sorted and loses score, in seconds since 1970.
    #[inline]
    pub fn date(&self, doc: DocId) -> i64 {
        self.dates[doc as usize]
    }

    /// Returns the bucket of the date of a document.
    #[inline]
    pub fn date_bucket(&self, doc: DocId) -> u8 {
        self.date_buckets[doc as usize]
    }

    /// Returns the start and the end of a bucket, in seconds since 1970.
    pub fn bucket_range(&self, bucket: u8) -> (i64, i64) {
        let start = self
            .first_date
            .saturating_add(i64::from(bucket).saturating_mul(self.bucket_len));
        (start, start.saturating_add(self.bucket_len))
    }

    /// Returns the classes of all documents.
    pub fn classes(&self) -> Arc<[AccessClass]> {
        Arc::clone(&self.classes)
    }

    /// Returns the class of a document if it passes the filter.
    #[inline]
    pub fn visible_class(&self, filter: &DocFilter, doc: DocId) -> Option<AccessClass> {
        let class = self.class(doc);
        let is_visible = match filter.verdict(class) {
            Verdict::Allow => true,
            Verdict::Deny => false,
            Verdict::CheckRecord => filter.allows_record(
                class,
                self.author.get_val(doc),
                self.assignee.get_val(doc),
                self.tracker.get_val(doc),
            ),
        };
        (is_visible && !filter.hides(|| self.key.get_val(doc))).then_some(class)
    }
}

impl Snapshot {
    /// Creates a snapshot of what the searcher sees.
    pub fn new(searcher: Searcher) -> Snapshot {
        Snapshot {
            searcher,
            columns: OnceLock::new(),
            previous: HashMap::new(),
            inverted_indexes: Mutex::default(),
        }
    }

    /// Creates the snapshot that follows this one, and reuses the columns of its segments.
    pub fn next(&self, searcher: Searcher) -> Snapshot {
        let previous = match self.columns.get() {
            Some(columns) => self.segment_ids().zip(columns.iter().cloned()).collect(),
            None => self.previous.clone(),
        };
        Snapshot {
            previous,
            ..Snapshot::new(searcher)
        }
    }

    fn segment_ids(&self) -> impl Iterator<Item = SegmentId> {
        self.searcher
            .segment_readers()
            .iter()
            .map(SegmentReader::segment_id)
    }

    fn columns(&self) -> tantivy::Result<&[Arc<SegmentColumns>]> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns);
        }
        let columns = self.searcher.segment_readers().iter().map(|reader| {
            match self.previous.get(&reader.segment_id()) {
                Some(columns) => Ok(Arc::clone(columns)),
                None => SegmentColumns::open(reader).map(Arc::new),
            }
        });
        let columns = columns.collect::<tantivy::Result<_>>()?;
        Ok(self.columns.get_or_init(|| columns))
    }

    /// Returns the segments in their order.
    pub fn segments(&self) -> tantivy::Result<impl Iterator<Item = Segment<'_>>> {
        let segments = self
            .searcher
            .segment_readers()
            .iter()
            .zip(self.columns()?)
            .enumerate();
        Ok(segments.map(|(ord, (reader, columns))| Segment {
            ord,
            reader,
            columns,
        }))
    }

    /// Returns the inverted indexes of a field, one per segment.
    pub fn inverted_indexes(&self, field: Field) -> tantivy::Result<InvertedIndexes> {
        let mut cache = self
            .inverted_indexes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(indexes) = cache.get(&field) {
            return Ok(Arc::clone(indexes));
        }
        let readers = self.searcher.segment_readers().iter();
        let indexes: InvertedIndexes = readers
            .map(|reader| reader.inverted_index(field))
            .collect::<tantivy::Result<_>>()?;
        cache.insert(field, Arc::clone(&indexes));
        Ok(indexes)
    }
}

#[cfg(test)]
pub(crate) mod tests;
