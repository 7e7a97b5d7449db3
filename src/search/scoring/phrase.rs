//! Phrases: terms at fixed offsets, or nearly.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::{DocId, DocSet, TERMINATED};

use super::bm25::Bm25;

/// Iterates over the documents that have all terms of a phrase. Positions are decoded only when
/// they are needed.
pub(crate) struct PhraseScorer {
    /// The terms with their distance to the last one in positions, the rarest term first.
    terms: Vec<(SegmentPostings, u32)>,
    /// How many positions each term may be out of place.
    slop: u32,
    /// The section in which the phrase must be; `None` for the whole text.
    section: Option<SectionPostings>,
    fieldnorms: FieldNormReader,
    bm25: Option<Bm25>,
    /// How often the phrase occurs in the current document, once it was counted.
    phrase_count: Option<u32>,
    /// Positions of the last term at which the phrase can end, according to the terms read so far.
    ends: Vec<u32>,
    /// A buffer for the positions of the next term.
    buffer: Vec<u32>,
}

impl PhraseScorer {
    /// Creates a scorer for at least one term.
    pub fn new(
        mut terms: Vec<(SegmentPostings, u32)>,
        slop: u32,
        section: Option<SectionPostings>,
        fieldnorms: FieldNormReader,
        bm25: Option<Bm25>,
    ) -> PhraseScorer {
        terms.sort_by_key(|(postings, _)| postings.size_hint());
        let mut phrase = PhraseScorer {
            terms,
            slop,
            section,
            fieldnorms,
            bm25,
            phrase_count: None,
            ends: Vec::new(),
            buffer: Vec::new(),
        };
        phrase.align();
        phrase
    }

    /// Returns the current document.
    pub fn doc(&self) -> DocId {
        self.terms
            .first()
            .map_or(TERMINATED, |(rarest, _)| rarest.doc())
    }

    /// Advances to the first document from `target` on that has all terms.
    pub fn seek(&mut self, target: DocId) -> DocId {
        if let Some((rarest, _)) = self.terms.first_mut()
            && rarest.doc() < target
        {
            rarest.seek(target);
            self.phrase_count = None;
            self.align();
        }
        self.doc()
    }

    /// Advances all terms to their next common document.
    fn align(&mut self) {
        let Some(((rarest, _), others)) = self.terms.split_first_mut() else {
            return;
        };
        let mut doc = rarest.doc();
        'documents: while doc != TERMINATED {
            for (other, _) in others.iter_mut() {
                let reached = seek(other, doc);
                if reached > doc {
                    doc = seek(rarest, reached);
                    continue 'documents;
                }
            }
            return;
        }
    }

    /// Counts how often the phrase occurs in the current document.
    pub fn phrase_count(&mut self) -> u32 {
        if let Some(count) = self.phrase_count {
            return count;
        }
        let mut terms = self.terms.iter_mut();
        let ends = &mut self.ends;
        let buffer = &mut self.buffer;
        let slop = self.slop;
        if let Some((rarest, to_last)) = terms.next() {
            rarest.positions_with_offset(*to_last, ends);
        }
        for (other, to_last) in terms {
            if ends.is_empty() {
                break;
            }
            other.positions_with_offset(*to_last, buffer);
            retain_near(ends, buffer, slop);
        }
        if let Some(section) = &mut self.section
            && let Some((rarest, _)) = self.terms.first()
        {
            section.retain(rarest.doc(), &mut self.ends, &mut self.buffer);
        }
        let count = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.phrase_count = Some(count);
        count
    }

    /// Returns an upper bound of the score of the current document.
    pub fn max_score(&self) -> f32 {
        let max_count = self
            .terms
            .iter()
            .map(|(term, _)| term.term_freq())
            .min()
            .unwrap_or(0);
        self.score_for(self.phrase_count.unwrap_or(max_count))
    }

    /// Returns the score of the current document; 0 if it does not contain the phrase.
    pub fn score(&mut self) -> f32 {
        let count = self.phrase_count();
        self.score_for(count)
    }

    fn score_for(&self, count: u32) -> f32 {
        self.bm25.as_ref().map_or(0.0, |bm25| {
            bm25.score(self.fieldnorms.fieldnorm_id(self.doc()), count)
        })
    }

    /// Estimates how many documents match; an upper bound.
    pub fn cost(&self) -> u64 {
        self.terms
            .first()
            .map_or(0, |(rarest, _)| u64::from(rarest.size_hint()))
    }
}

/// Where a section begins and ends in the documents of a segment.
pub(crate) struct SectionPostings {
    begin: SegmentPostings,
    end: Option<SegmentPostings>,
}

impl SectionPostings {
    /// Creates them from the postings of the terms at the beginning of the section, and of the next
    /// one.
    pub fn new(begin: SegmentPostings, end: Option<SegmentPostings>) -> SectionPostings {
        SectionPostings { begin, end }
    }

    /// Retains the positions in the section of a document, which must not precede that of the call
    /// before.
    fn retain(&mut self, doc: DocId, positions: &mut Vec<u32>, buffer: &mut Vec<u32>) {
        if seek(&mut self.begin, doc) != doc {
            positions.clear();
            return;
        }
        self.begin.positions_with_offset(0, buffer);
        let begin = buffer.first().copied().unwrap_or(u32::MAX);
        let mut end = u32::MAX;
        if let Some(next) = &mut self.end
            && seek(next, doc) == doc
        {
            next.positions_with_offset(0, buffer);
            end = buffer.first().copied().unwrap_or(u32::MAX);
        }
        positions.retain(|position| (begin..end).contains(position));
    }
}

/// Retains the positions that have a partner in `others` at most `slop` away. Each partner counts
/// once; both lists ascend.
fn retain_near(positions: &mut Vec<u32>, others: &[u32], slop: u32) {
    let mut rest = others.iter().copied().peekable();
    positions.retain(|position| {
        while rest
            .next_if(|other| other.saturating_add(slop) < *position)
            .is_some()
        {}
        rest.next_if(|other| *other <= position.saturating_add(slop))
            .is_some()
    });
}

/// Advances to the first document from `target` on; stays where it is when it is there or behind.
#[inline]
pub(super) fn seek<D: DocSet + ?Sized>(docs: &mut D, target: DocId) -> DocId {
    if docs.doc() < target {
        docs.seek(target)
    } else {
        docs.doc()
    }
}
