//! Terms at fixed distances, or nearly.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::{DocId, DocSet, TERMINATED};

use super::bm25::Bm25;
use super::cursor::seek;

/// The documents of a phrase: stands at those that have all its terms, and reads their positions only when it is asked.
pub(in crate::search) struct Phrase {
    /// Each with how many positions it stands before the last; the rarest first.
    terms: Vec<(SegmentPostings, u32)>,
    /// How many positions each may be off its place.
    slop: u32,
    lengths: FieldNormReader,
    bm25: Option<Bm25>,
    /// How often the phrase stands in the document, once that was asked.
    counted: Option<u32>,
    /// Where the terms stand that were read so far, all brought to the place of the last.
    common: Vec<u32>,
    others: Vec<u32>,
}

impl Phrase {
    /// Of at least one term.
    pub fn of(mut terms: Vec<(SegmentPostings, u32)>, slop: u32, lengths: FieldNormReader, bm25: Option<Bm25>) -> Phrase {
        terms.sort_by_key(|(postings, _)| postings.size_hint());
        let mut phrase = Phrase { terms, slop, lengths, bm25, counted: None, common: Vec::new(), others: Vec::new() };
        phrase.meet();
        phrase
    }

    /// Where it stands.
    pub fn doc(&self) -> DocId {
        self.terms.first().map_or(TERMINATED, |(rarest, _)| rarest.doc())
    }

    /// Goes to the first document from `target` on that has all the terms.
    pub fn seek(&mut self, target: DocId) -> DocId {
        if let Some((rarest, _)) = self.terms.first_mut()
            && rarest.doc() < target
        {
            rarest.seek(target);
            self.counted = None;
            self.meet();
        }
        self.doc()
    }

    fn meet(&mut self) {
        let Some(((rarest, _), others)) = self.terms.split_first_mut() else { return };
        let mut doc = rarest.doc();
        'documents: while doc != TERMINATED {
            for (other, _) in others.iter_mut() {
                let next = seek(other, doc);
                if next > doc {
                    doc = seek(rarest, next);
                    continue 'documents;
                }
            }
            return;
        }
    }

    /// How often the phrase stands in the document.
    pub fn count(&mut self) -> u32 {
        if let Some(counted) = self.counted {
            return counted;
        }
        let (mut terms, common, others, slop) = (self.terms.iter_mut(), &mut self.common, &mut self.others, self.slop);
        if let Some((rarest, before)) = terms.next() {
            rarest.positions_with_offset(*before, common);
        }
        for (other, before) in terms {
            if common.is_empty() {
                break;
            }
            other.positions_with_offset(*before, others);
            keep_near(common, others, slop);
        }
        let counted = u32::try_from(common.len()).unwrap_or(u32::MAX);
        self.counted = Some(counted);
        counted
    }

    /// More than this it does not score.
    pub fn bound(&self) -> f32 {
        let most = self.terms.iter().map(|(term, _)| term.term_freq()).min().unwrap_or(0);
        self.scored(self.counted.unwrap_or(most))
    }

    /// The score; 0 where the phrase does not stand.
    pub fn score(&mut self) -> f32 {
        let count = self.count();
        self.scored(count)
    }

    fn scored(&self, count: u32) -> f32 {
        self.bm25.as_ref().map_or(0.0, |bm25| bm25.score(self.lengths.fieldnorm_id(self.doc()), count))
    }

    /// About how many documents there are at most.
    pub fn cost(&self) -> u64 {
        self.terms.first().map_or(0, |(rarest, _)| u64::from(rarest.size_hint()))
    }
}

/// Keeps of the first what has a partner in the second at most `slop` positions away, each partner once; both ascend.
fn keep_near(first: &mut Vec<u32>, second: &[u32], slop: u32) {
    let mut rest = second.iter().copied().peekable();
    first.retain(|position| {
        while rest.next_if(|other| other.saturating_add(slop) < *position).is_some() {}
        rest.next_if(|other| *other <= position.saturating_add(slop)).is_some()
    });
}
