//! Iterates over the documents of a segment that match a query.
//!
//! Matching has two phases. A scorer stops at documents that have all terms, which is cheap to find
//! out. [`Scorer::matches`] then checks positions and access rights, and [`Scorer::score`] may only
//! be called where it returned `true`.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::{DocId, DocSet, TERMINATED};

use super::attribute::{AttributeScorer, Docs};
use super::bm25::Bm25;
use super::phrase::{PhraseScorer, seek};
use crate::access::restricted::RestrictedTextFilter;
use crate::schema::access_class::AccessClass;

/// Sums scores independently of their order, which may depend on how many records have each word,
/// hidden ones included. A double keeps every bit of a few singles.
fn sum_scores(scores: impl Iterator<Item = f32>) -> f32 {
    scores.map(f64::from).sum::<f64>() as f32
}

/// A scorer, which moves forward only.
pub(crate) enum Scorer {
    /// No documents.
    Empty,
    /// All documents of the segment.
    AllDocs {
        /// The current document.
        doc: DocId,
        /// The first id after the last document.
        max_doc: DocId,
        /// The score of each document.
        score: f32,
    },
    /// The documents with a term.
    Term(Box<TermScorer>),
    /// The documents with a phrase.
    Phrase(Box<PhraseScorer>),
    /// The documents of a tantivy scorer.
    Tantivy(Box<dyn tantivy::query::Scorer>),
    /// The documents of any of several scorers.
    Union(Box<Union>),
    /// The documents of all of several scorers.
    Intersection(Intersection),
    /// The documents that another scorer does not match.
    Not {
        docs: Docs,
        /// The other scorer.
        inner: Box<Scorer>,
    },
    /// The documents with an attribute.
    Attribute(Box<AttributeScorer>),
    /// The documents whose text the viewer may read.
    Restricted(RestrictedScorer),
}

impl Scorer {
    /// Returns the current document; [`TERMINATED`] at the end.
    #[inline]
    pub fn doc(&self) -> DocId {
        match self {
            Scorer::Empty => TERMINATED,
            Scorer::AllDocs { doc, max_doc, .. } => {
                if doc < max_doc {
                    *doc
                } else {
                    TERMINATED
                }
            }
            Scorer::Term(term) => term.postings.doc(),
            Scorer::Phrase(phrase) => phrase.doc(),
            Scorer::Tantivy(scorer) => scorer.doc(),
            Scorer::Union(union) => union.doc(),
            Scorer::Intersection(intersection) => intersection.doc(),
            Scorer::Not { docs, .. } => docs.doc(),
            Scorer::Attribute(attribute) => attribute.docs.doc(),
            Scorer::Restricted(restricted) => restricted.inner.doc(),
        }
    }

    /// Advances to the next document.
    #[inline]
    pub fn advance(&mut self) -> DocId {
        match self {
            Scorer::Term(term) => term.postings.advance(),
            Scorer::Tantivy(scorer) => scorer.advance(),
            Scorer::Restricted(restricted) => restricted.inner.advance(),
            _ => self.seek(self.doc().saturating_add(1)),
        }
    }

    /// Advances to the first document from `target` on; stays where it is when it is there or
    /// behind.
    #[inline]
    pub fn seek(&mut self, target: DocId) -> DocId {
        match self {
            Scorer::Empty => {}
            Scorer::AllDocs { doc, .. } => *doc = target.max(*doc),
            Scorer::Term(term) => return seek(&mut term.postings, target),
            Scorer::Phrase(phrase) => return phrase.seek(target),
            Scorer::Tantivy(scorer) => return seek(scorer.as_mut(), target),
            Scorer::Union(union) => return union.seek(target),
            Scorer::Intersection(intersection) => return intersection.seek(target),
            Scorer::Not { docs, .. } => return docs.seek(target),
            Scorer::Attribute(attribute) => return attribute.docs.seek(target),
            Scorer::Restricted(restricted) => return restricted.inner.seek(target),
        }
        self.doc()
    }

    /// Whether the current document matches.
    #[inline]
    pub fn matches(&mut self) -> bool {
        match self {
            Scorer::Empty => false,
            Scorer::AllDocs { .. } | Scorer::Term(_) | Scorer::Tantivy(_) => true,
            Scorer::Phrase(phrase) => phrase.phrase_count() > 0,
            Scorer::Union(union) => union.matches(),
            Scorer::Intersection(intersection) => {
                intersection.scorers.iter_mut().all(Scorer::matches)
            }
            Scorer::Not { docs, inner } => {
                let doc = docs.doc();
                inner.seek(doc) != doc || !inner.matches()
            }
            Scorer::Attribute(attribute) => attribute.matches(),
            Scorer::Restricted(restricted) => restricted.matches(),
        }
    }

    /// Whether every document matches, and with exactly the score that [`Scorer::max_score`]
    /// returns.
    pub fn is_exact(&self) -> bool {
        match self {
            Scorer::Empty | Scorer::AllDocs { .. } | Scorer::Term(_) | Scorer::Tantivy(_) => true,
            Scorer::Phrase(_)
            | Scorer::Restricted(_)
            | Scorer::Not { .. }
            | Scorer::Attribute(_) => false,
            Scorer::Union(union) => union.is_exact(),
            Scorer::Intersection(intersection) => intersection.scorers.iter().all(Scorer::is_exact),
        }
    }

    /// Returns an upper bound of the score of the current document. Cheap.
    #[inline]
    pub fn max_score(&self) -> f32 {
        match self {
            Scorer::Empty | Scorer::Tantivy(_) | Scorer::Not { .. } | Scorer::Attribute(_) => 0.0,
            Scorer::AllDocs { score, .. } => *score,
            Scorer::Term(term) => term.score(),
            Scorer::Phrase(phrase) => phrase.max_score(),
            Scorer::Union(union) => union.max_score(),
            Scorer::Intersection(intersection) => {
                sum_scores(intersection.scorers.iter().map(Scorer::max_score))
            }
            Scorer::Restricted(restricted) => restricted.inner.max_score(),
        }
    }

    /// Returns the score of the current document, which must match.
    pub fn score(&mut self) -> f32 {
        match self {
            Scorer::Phrase(phrase) => phrase.score(),
            Scorer::Union(union) => union.score(),
            Scorer::Intersection(intersection) => {
                sum_scores(intersection.scorers.iter_mut().map(Scorer::score))
            }
            Scorer::Restricted(restricted) => restricted.inner.score(),
            _ => self.max_score(),
        }
    }

    /// Estimates how many documents there are.
    pub fn cost(&self) -> u64 {
        match self {
            Scorer::Empty => 0,
            Scorer::AllDocs { max_doc, .. } => u64::from(*max_doc),
            Scorer::Term(term) => u64::from(term.postings.size_hint()),
            Scorer::Phrase(phrase) => phrase.cost(),
            Scorer::Tantivy(scorer) => u64::from(scorer.size_hint()),
            Scorer::Union(union) => union.cost(),
            Scorer::Intersection(intersection) => {
                intersection.scorers.first().map_or(0, Scorer::cost)
            }
            Scorer::Not { docs, .. } => docs.cost(),
            Scorer::Attribute(attribute) => attribute.docs.cost(),
            Scorer::Restricted(restricted) => restricted.inner.cost(),
        }
    }
}

/// Iterates over the documents with a term.
pub(crate) struct TermScorer {
    pub postings: SegmentPostings,
    pub fieldnorms: FieldNormReader,
    pub bm25: Option<Bm25>,
}

impl TermScorer {
    #[inline]
    fn score(&self) -> f32 {
        let Some(bm25) = &self.bm25 else { return 0.0 };
        bm25.score(
            self.fieldnorms.fieldnorm_id(self.postings.doc()),
            self.postings.term_freq(),
        )
    }
}

/// Iterates over the documents that several scorers have in common; the one with the fewest
/// documents leads.
pub(crate) struct Intersection {
    scorers: Vec<Scorer>,
}

impl Intersection {
    /// Creates an intersection of at least one scorer.
    pub fn new(mut scorers: Vec<Scorer>) -> Intersection {
        scorers.sort_by_key(Scorer::cost);
        let mut intersection = Intersection { scorers };
        intersection.align();
        intersection
    }

    fn doc(&self) -> DocId {
        self.scorers.first().map_or(TERMINATED, Scorer::doc)
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if let Some(lead) = self.scorers.first_mut()
            && lead.doc() < target
        {
            lead.seek(target);
            self.align();
        }
        self.doc()
    }

    /// Advances all scorers to their next common document.
    fn align(&mut self) {
        let Some((lead, others)) = self.scorers.split_first_mut() else {
            return;
        };
        let mut doc = lead.doc();
        'documents: while doc != TERMINATED {
            for other in others.iter_mut() {
                let reached = other.seek(doc);
                if reached > doc {
                    doc = lead.seek(reached);
                    continue 'documents;
                }
            }
            return;
        }
    }
}

/// Iterates over the documents whose text the viewer may read.
pub(crate) struct RestrictedScorer {
    pub inner: Box<Scorer>,
    pub classes: Arc<[AccessClass]>,
    pub filter: RestrictedTextFilter,
}

impl RestrictedScorer {
    fn matches(&mut self) -> bool {
        self.filter.allows(self.classes[self.inner.doc() as usize]) && self.inner.matches()
    }
}

/// Iterates over the documents of any of several scorers.
pub(crate) struct Union {
    /// Exact scorers come first.
    scorers: Vec<Scorer>,
    /// The current document of each scorer, in one block of memory.
    docs: Vec<DocId>,
    /// The lowest of them.
    doc: DocId,
    /// Whether the best score counts instead of the sum.
    dis_max: bool,
}

impl Union {
    /// Creates a scorer over any of these.
    pub fn scorer(mut scorers: Vec<Scorer>, dis_max: bool) -> Scorer {
        match scorers.len() {
            0 => Scorer::Empty,
            1 => scorers.remove(0),
            _ => {
                scorers.sort_by_key(|scorer| !scorer.is_exact());
                let docs: Vec<DocId> = scorers.iter().map(Scorer::doc).collect();
                let mut union = Union {
                    scorers,
                    docs,
                    doc: TERMINATED,
                    dis_max,
                };
                union.update_doc();
                Scorer::Union(Box::new(union))
            }
        }
    }

    fn update_doc(&mut self) -> DocId {
        self.doc = self.docs.iter().copied().min().unwrap_or(TERMINATED);
        self.doc
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        for (doc, scorer) in self.docs.iter_mut().zip(&mut self.scorers) {
            if *doc < target {
                *doc = scorer.seek(target);
            }
        }
        self.update_doc()
    }

    fn matches(&mut self) -> bool {
        let current = self.doc;
        self.docs
            .iter()
            .zip(&mut self.scorers)
            .any(|(doc, scorer)| *doc == current && scorer.matches())
    }

    fn is_exact(&self) -> bool {
        self.scorers.iter().all(Scorer::is_exact)
    }

    fn max_score(&self) -> f32 {
        let current = self
            .docs
            .iter()
            .zip(&self.scorers)
            .filter(|(doc, _)| **doc == self.doc);
        let scores = current.map(|(_, scorer)| scorer.max_score());
        if self.dis_max {
            scores.fold(0.0, f32::max)
        } else {
            sum_scores(scores)
        }
    }

    fn score(&mut self) -> f32 {
        let doc = self.doc;
        let dis_max = self.dis_max;
        let current = self
            .docs
            .iter()
            .zip(&mut self.scorers)
            .filter(|(at, _)| **at == doc);
        let scores = current.map(|(_, scorer)| {
            if scorer.matches() {
                scorer.score()
            } else {
                0.0
            }
        });
        if dis_max {
            scores.fold(0.0, f32::max)
        } else {
            sum_scores(scores)
        }
    }

    fn cost(&self) -> u64 {
        self.scorers.iter().map(Scorer::cost).sum()
    }
}
