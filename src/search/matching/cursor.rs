//! Over the documents of one segment.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::query::Scorer;
use tantivy::{DocId, DocSet, TERMINATED};

use super::bm25::Bm25;
use super::phrase::Phrase;
use super::union::Union;
use crate::search::gate::Gate;
use crate::search::schema::Class;

/// The sum of scores, whatever their order: that may depend on how many records have the words, hidden ones too. Doubles lose nothing of
/// so few singles.
pub(super) fn sum_scores(scores: impl Iterator<Item = f32>) -> f32 {
    scores.map(f64::from).sum::<f64>() as f32
}

/// Stands at a document that may match, and goes forward only. What a document scores is asked of those alone that [`Cursor::holds`]
/// has said yes to.
pub(in crate::search) enum Cursor {
    /// There are none.
    Nothing,
    /// All of them.
    Everything {
        /// Where it stands.
        doc: DocId,
        /// The first that is not there.
        end: DocId,
        /// The score of each.
        score: f32,
    },
    /// Those of a term.
    Term(Box<Postings>),
    /// Those of a phrase.
    Phrase(Box<Phrase>),
    /// Those that the engine finds.
    Engine(Box<dyn Scorer>),
    /// Those of any of several.
    Union(Box<Union>),
    /// Those of all of several.
    All(All),
    /// Those whose text may be read.
    Gated(Gated),
}

impl Cursor {
    /// Where it stands; [`TERMINATED`] at the end.
    #[inline]
    pub fn doc(&self) -> DocId {
        match self {
            Cursor::Nothing => TERMINATED,
            Cursor::Everything { doc, end, .. } => {
                if doc < end {
                    *doc
                } else {
                    TERMINATED
                }
            }
            Cursor::Term(term) => term.postings.doc(),
            Cursor::Phrase(phrase) => phrase.doc(),
            Cursor::Engine(scorer) => scorer.doc(),
            Cursor::Union(union) => union.doc(),
            Cursor::All(all) => all.doc(),
            Cursor::Gated(gated) => gated.inner.doc(),
        }
    }

    /// Goes to the next.
    #[inline]
    pub fn advance(&mut self) -> DocId {
        match self {
            Cursor::Term(term) => term.postings.advance(),
            Cursor::Engine(scorer) => scorer.advance(),
            Cursor::Gated(gated) => gated.inner.advance(),
            _ => self.seek(self.doc().saturating_add(1)),
        }
    }

    /// Goes to the first from `target` on; stays where it is when it is there or behind.
    #[inline]
    pub fn seek(&mut self, target: DocId) -> DocId {
        match self {
            Cursor::Nothing => {}
            Cursor::Everything { doc, .. } => *doc = target.max(*doc),
            Cursor::Term(term) => return seek(&mut term.postings, target),
            Cursor::Phrase(phrase) => return phrase.seek(target),
            Cursor::Engine(scorer) => return seek(scorer.as_mut(), target),
            Cursor::Union(union) => return union.seek(target),
            Cursor::All(all) => return all.seek(target),
            Cursor::Gated(gated) => return gated.inner.seek(target),
        }
        self.doc()
    }

    /// Whether the document matches where it stands.
    #[inline]
    pub fn holds(&mut self) -> bool {
        match self {
            Cursor::Nothing => false,
            Cursor::Everything { .. } | Cursor::Term(_) | Cursor::Engine(_) => true,
            Cursor::Phrase(phrase) => phrase.count() > 0,
            Cursor::Union(union) => union.holds(),
            Cursor::All(all) => all.parts.iter_mut().all(Cursor::holds),
            Cursor::Gated(gated) => gated.holds(),
        }
    }

    /// Whether every document at which it stands matches with the score of [`Cursor::bound`].
    pub fn is_sure(&self) -> bool {
        match self {
            Cursor::Nothing | Cursor::Everything { .. } | Cursor::Term(_) | Cursor::Engine(_) => true,
            Cursor::Phrase(_) | Cursor::Gated(_) => false,
            Cursor::Union(union) => union.is_sure(),
            Cursor::All(all) => all.parts.iter().all(Cursor::is_sure),
        }
    }

    /// More than this it does not score where it stands. Cheap.
    #[inline]
    pub fn bound(&self) -> f32 {
        match self {
            Cursor::Nothing | Cursor::Engine(_) => 0.0,
            Cursor::Everything { score, .. } => *score,
            Cursor::Term(term) => term.score(),
            Cursor::Phrase(phrase) => phrase.bound(),
            Cursor::Union(union) => union.bound(),
            Cursor::All(all) => sum_scores(all.parts.iter().map(Cursor::bound)),
            Cursor::Gated(gated) => gated.inner.bound(),
        }
    }

    /// The score where it stands and holds.
    pub fn score(&mut self) -> f32 {
        match self {
            Cursor::Phrase(phrase) => phrase.score(),
            Cursor::Union(union) => union.score(),
            Cursor::All(all) => sum_scores(all.parts.iter_mut().map(Cursor::score)),
            Cursor::Gated(gated) => gated.inner.score(),
            _ => self.bound(),
        }
    }

    /// About how many documents there are.
    pub fn cost(&self) -> u64 {
        match self {
            Cursor::Nothing => 0,
            Cursor::Everything { end, .. } => u64::from(*end),
            Cursor::Term(term) => u64::from(term.postings.size_hint()),
            Cursor::Phrase(phrase) => phrase.cost(),
            Cursor::Engine(scorer) => u64::from(scorer.size_hint()),
            Cursor::Union(union) => union.cost(),
            Cursor::All(all) => all.parts.first().map_or(0, Cursor::cost),
            Cursor::Gated(gated) => gated.inner.cost(),
        }
    }
}

/// Goes forward to `target`, never back.
#[inline]
pub(super) fn seek<D: DocSet + ?Sized>(documents: &mut D, target: DocId) -> DocId {
    if documents.doc() < target { documents.seek(target) } else { documents.doc() }
}

/// The documents of a term.
pub(in crate::search) struct Postings {
    pub postings: SegmentPostings,
    pub lengths: FieldNormReader,
    pub bm25: Option<Bm25>,
}

impl Postings {
    #[inline]
    fn score(&self) -> f32 {
        let Some(bm25) = &self.bm25 else { return 0.0 };
        bm25.score(self.lengths.fieldnorm_id(self.postings.doc()), self.postings.term_freq())
    }
}

/// The documents that several have in common; the rarest of them leads.
pub(in crate::search) struct All {
    parts: Vec<Cursor>,
}

impl All {
    /// Of at least one.
    pub fn of(mut parts: Vec<Cursor>) -> All {
        parts.sort_by_key(Cursor::cost);
        let mut all = All { parts };
        all.meet();
        all
    }

    fn doc(&self) -> DocId {
        self.parts.first().map_or(TERMINATED, Cursor::doc)
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if let Some(lead) = self.parts.first_mut()
            && lead.doc() < target
        {
            lead.seek(target);
            self.meet();
        }
        self.doc()
    }

    /// Goes on until all of them stand at the same document.
    fn meet(&mut self) {
        let Some((lead, others)) = self.parts.split_first_mut() else { return };
        let mut doc = lead.doc();
        'documents: while doc != TERMINATED {
            for other in others.iter_mut() {
                let next = other.seek(doc);
                if next > doc {
                    doc = lead.seek(next);
                    continue 'documents;
                }
            }
            return;
        }
    }
}

/// The documents whose text may be read.
pub(in crate::search) struct Gated {
    pub inner: Box<Cursor>,
    pub classes: Arc<[Class]>,
    pub gate: Gate,
}

impl Gated {
    fn holds(&mut self) -> bool {
        self.gate.is_open(self.classes[self.inner.doc() as usize]) && self.inner.holds()
    }
}
