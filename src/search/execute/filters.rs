//! Which documents may be hits of a search, whatever its words.

use tantivy::DocId;
use tantivy::fastfield::AliveBitSet;

use crate::access::filter::DocFilter;
use crate::schema::columns::{AttributeFilter, FastFields};
use crate::scoring::{Scorer, Weight};
use crate::snapshot::{Segment, SegmentColumns};

/// The filters of a search.
#[derive(Clone, Copy)]
pub(crate) struct Filters<'f> {
    /// Passes documents that the viewer may see, of the content types and projects of the request.
    pub doc_filter: &'f DocFilter,
    /// Hits pass all of these.
    pub attributes: &'f [AttributeFilter],
    /// Hits match none of these.
    pub excluded: &'f [Weight],
}

impl<'f> Filters<'f> {
    /// Creates filters that apply this one alone.
    pub fn new(doc_filter: &'f DocFilter) -> Filters<'f> {
        Filters {
            doc_filter,
            attributes: &[],
            excluded: &[],
        }
    }
}

/// The filters of a search in one segment.
pub(super) struct SegmentFilters<'s> {
    alive: Option<&'s AliveBitSet>,
    columns: &'s SegmentColumns,
    doc_filter: &'s DocFilter,
    attributes: &'s [AttributeFilter],
    fast_fields: FastFields,
    excluded: Vec<Scorer>,
}

impl<'s> SegmentFilters<'s> {
    /// Opens what the filters read.
    pub fn new(segment: Segment<'s>, filters: Filters<'s>) -> tantivy::Result<SegmentFilters<'s>> {
        let attributes = filters.attributes.iter().map(|filter| filter.attribute);
        Ok(SegmentFilters {
            alive: segment.reader.alive_bitset(),
            columns: segment.columns,
            doc_filter: filters.doc_filter,
            attributes: filters.attributes,
            fast_fields: FastFields::open(segment.reader, attributes)?,
            excluded: filters
                .excluded
                .iter()
                .map(|weight| weight.scorer(segment))
                .collect::<tantivy::Result<_>>()?,
        })
    }

    /// Returns the code of the content type of a document; `None` if it is deleted or does not
    /// pass. Excluded words are left to [`SegmentFilters::excludes`], which costs more.
    #[inline]
    pub fn kind(&self, doc: DocId) -> Option<usize> {
        if self.alive.is_some_and(|alive| alive.is_deleted(doc)) {
            return None;
        }
        let class = self.columns.visible_class(self.doc_filter, doc)?;
        if !self.attributes.is_empty() && !self.fast_fields.pass(self.attributes, class, doc) {
            return None;
        }
        Some(class.kind_code() as usize)
    }

    /// Whether the document is excluded. Documents are passed in ascending order.
    #[inline]
    pub fn excludes(&mut self, doc: DocId) -> bool {
        self.excluded
            .iter_mut()
            .any(|scorer| scorer.seek(doc) == doc && scorer.matches())
    }
}
