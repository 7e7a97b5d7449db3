//! Reads the postings of a term one window of documents at a time.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, TERMINATED};

use super::bm25::Bm25;
use super::term_postings::TermPostings;
use super::window::{BitSet, WINDOW, offset_in_window};
use crate::snapshot::Segment;

/// A position in the postings of a term.
pub(super) struct TermCursor {
    /// The term infos by segment, which identify the term.
    infos: Arc<[Option<TermInfo>]>,
    postings: BlockSegmentPostings,
    /// The index in the current block.
    index: usize,
    fieldnorms: FieldNormReader,
    bm25: Option<Bm25>,
}

impl TermCursor {
    /// Opens the postings of a segment; `None` if the segment does not have the term.
    pub fn open(
        term: &TermPostings,
        bm25: Option<&Bm25>,
        segment: Segment<'_>,
    ) -> tantivy::Result<Option<TermCursor>> {
        let option = if bm25.is_some() {
            IndexRecordOption::WithFreqs
        } else {
            IndexRecordOption::Basic
        };
        let Some(postings) = term.block_postings(segment.ord, option)? else {
            return Ok(None);
        };
        let infos = term.infos();
        let fieldnorms = term.fieldnorms(segment)?;
        Ok(Some(TermCursor {
            infos,
            postings,
            index: 0,
            fieldnorms,
            bm25: bm25.cloned(),
        }))
    }

    /// Whether these are the postings of the term.
    pub fn is_of(&self, term: &TermPostings) -> bool {
        term.has_infos(&self.infos)
    }

    /// Whether documents have scores.
    pub fn has_scores(&self) -> bool {
        self.bm25.is_some()
    }

    /// Returns what computes the scores.
    pub fn bm25_mut(&mut self) -> Option<&mut Bm25> {
        self.bm25.as_mut()
    }

    /// Returns the current document; [`TERMINATED`] at the end.
    pub fn doc(&self) -> DocId {
        self.postings
            .docs()
            .get(self.index)
            .copied()
            .unwrap_or(TERMINATED)
    }

    /// Adds to `matched` the candidates of a window that have the term.
    pub fn add_docs(&mut self, start: DocId, candidates: &BitSet, matched: &mut BitSet) {
        self.for_each_run(start, |docs, _, _, _| {
            for doc in docs {
                let offset = (doc - start) as usize % WINDOW;
                matched[offset / 64] |= candidates[offset / 64] & 1 << (offset % 64);
            }
        });
    }

    /// Adds to `found` those of these documents of a window, in ascending order, that have the term.
    pub fn find_docs(&mut self, start: DocId, docs: &[DocId], found: &mut BitSet) {
        for doc in docs {
            if self.doc() < *doc {
                self.index = self.postings.seek(*doc);
            }
            if self.doc() == *doc {
                let offset = (doc - start) as usize % WINDOW;
                found[offset / 64] |= 1 << (offset % 64);
            }
        }
    }

    /// Calls `visit` with offset and score of each candidate of a window that has the term, unless
    /// there are no scores.
    #[inline]
    pub fn for_each_score(
        &mut self,
        start: DocId,
        candidates: &BitSet,
        mut visit: impl FnMut(usize, f32),
    ) {
        self.for_each_run(start, |docs, freqs, fieldnorms, bm25| {
            let Some(bm25) = bm25 else { return };
            for (n, doc) in docs.iter().enumerate() {
                let offset = (doc - start) as usize % WINDOW;
                if candidates[offset / 64] & 1 << (offset % 64) != 0 {
                    // A field may be indexed without frequencies.
                    let term_freq = freqs.get(n).copied().unwrap_or(1);
                    visit(offset, bm25.score(fieldnorms.fieldnorm_id(*doc), term_freq));
                }
            }
        });
    }

    /// Moves to the end of the window; `visit` gets its documents with their frequencies, a run at
    /// a time.
    #[inline]
    fn for_each_run(
        &mut self,
        start: DocId,
        mut visit: impl FnMut(&[DocId], &[u32], &FieldNormReader, Option<&Bm25>),
    ) {
        if self.doc() < start {
            self.index = self.postings.seek(start);
        }
        loop {
            let docs = self.postings.docs();
            let rest = docs.get(self.index..).unwrap_or_default();
            let inside = rest.partition_point(|doc| offset_in_window(start, *doc).is_some());
            let freqs = self.postings.freqs().get(self.index..).unwrap_or_default();
            visit(&rest[..inside], freqs, &self.fieldnorms, self.bm25.as_ref());
            self.index += inside;
            if inside < rest.len() || docs.is_empty() {
                return;
            }
            self.postings.advance();
            self.index = 0;
        }
    }
}
