//! The postings of a term, looked up once for all segments.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{InvertedIndexReader, Term};

use super::statistics::Statistics;
use crate::snapshot::{InvertedIndexes, Segment};

/// The postings of a term in each segment.
pub(crate) struct TermPostings {
    field: Field,
    indexes: InvertedIndexes,
    infos: Arc<[Option<TermInfo>]>,
}

/// Identifies a term among those of the same [`Statistics`].
#[derive(PartialEq, Eq, Hash)]
pub(super) struct TermId(*const Option<TermInfo>);

impl TermPostings {
    /// Returns what identifies the term: where its infos are, which are looked up once.
    pub(super) fn id(&self) -> TermId {
        TermId(self.infos.as_ptr())
    }

    /// Looks up a term; `None` if no document has it.
    pub(super) fn look_up(
        term: &Term,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Option<TermPostings>> {
        let infos = statistics.term_infos(term)?;
        if infos.iter().flatten().all(|info| info.doc_freq == 0) {
            return Ok(None);
        }
        Ok(Some(TermPostings {
            field: term.field(),
            indexes: statistics.inverted_indexes(term.field())?,
            infos,
        }))
    }

    /// Returns the field of the term.
    pub(super) fn field(&self) -> Field {
        self.field
    }

    /// Returns the term infos by segment.
    pub(super) fn infos(&self) -> Arc<[Option<TermInfo>]> {
        Arc::clone(&self.infos)
    }

    /// Whether the infos are those of this term. Compares identity, so both must come from the same
    /// [`Statistics`].
    pub(super) fn has_infos(&self, infos: &Arc<[Option<TermInfo>]>) -> bool {
        Arc::ptr_eq(&self.infos, infos)
    }

    /// Returns how many documents of a segment have the term.
    pub(super) fn doc_freq(&self, segment_ord: usize) -> u64 {
        self.infos
            .get(segment_ord)
            .and_then(Option::as_ref)
            .map_or(0, |info| u64::from(info.doc_freq))
    }

    fn in_segment(&self, segment_ord: usize) -> Option<(&InvertedIndexReader, &TermInfo)> {
        Some((
            self.indexes.get(segment_ord)?,
            self.infos.get(segment_ord)?.as_ref()?,
        ))
    }

    /// Opens the postings of a segment block by block; `None` if the segment does not have the
    /// term.
    pub(super) fn block_postings(
        &self,
        segment_ord: usize,
        option: IndexRecordOption,
    ) -> tantivy::Result<Option<BlockSegmentPostings>> {
        Ok(self
            .in_segment(segment_ord)
            .map(|(index, info)| index.read_block_postings_from_terminfo(info, option))
            .transpose()?)
    }

    /// Opens the field norms of a segment.
    pub(super) fn fieldnorms(&self, segment: Segment<'_>) -> tantivy::Result<FieldNormReader> {
        segment.reader.get_fieldnorms_reader(self.field)
    }

    /// Opens the postings of a segment; `None` if the segment does not have the term.
    pub(super) fn postings(
        &self,
        segment_ord: usize,
        option: IndexRecordOption,
    ) -> tantivy::Result<Option<SegmentPostings>> {
        Ok(self
            .in_segment(segment_ord)
            .map(|(index, info)| index.read_postings_from_terminfo(info, option))
            .transpose()?)
    }
}
