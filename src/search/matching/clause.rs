//! What a record must have to match.

use std::fmt;
use std::sync::Arc;
use tantivy::Term;
use tantivy::query::Query;

use crate::search::gate::Gate;

/// What a record must have, and what its score is made of.
#[derive(Clone, Debug)]
pub(in crate::search) enum Clause {
    /// No record has it.
    Nothing,
    /// Every record has it, with a score of 1.
    Everything,
    /// A term, scored by BM25.
    Term(Term),
    /// Terms of one field at these distances, or as many positions off them as is said; scored as one rare term.
    Phrase(Vec<(usize, Term)>, u32),
    /// What the engine finds; without a score.
    Engine(Engine),
    /// One of them; the best score.
    Best(Vec<Clause>),
    /// One of them; the sum of the scores.
    Any(Vec<Clause>),
    /// All of them; the sum of the scores.
    All(Vec<Clause>),
    /// Only where the text may be read.
    Gated(Box<Clause>, Gate),
    /// With its score so many times.
    Boosted(Box<Clause>, f32),
}

/// A query of the engine.
#[derive(Clone)]
pub(in crate::search) struct Engine(pub Arc<dyn Query>);

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Clause {
    /// What the engine finds; without a score.
    pub fn engine(query: Box<dyn Query>) -> Clause {
        Clause::Engine(Engine(query.into()))
    }

    /// Any of these, with the sum of their scores.
    pub fn any(mut clauses: Vec<Clause>) -> Clause {
        match clauses.len() {
            0 => Clause::Nothing,
            1 => clauses.remove(0),
            _ => Clause::Any(clauses),
        }
    }

    /// All of these.
    pub fn all(mut clauses: Vec<Clause>) -> Clause {
        match clauses.len() {
            0 => Clause::Everything,
            1 => clauses.remove(0),
            _ => Clause::All(clauses),
        }
    }

    /// Terms of one field at these distances, or up to `slop` positions off them; one term stands alone.
    pub fn phrase(mut terms: Vec<(usize, Term)>, slop: u32) -> Clause {
        match terms.len() {
            0 => Clause::Nothing,
            1 => Clause::Term(terms.remove(0).1),
            _ => Clause::Phrase(terms, slop),
        }
    }

    /// With its score so many times.
    pub fn boosted(self, weight: f32) -> Clause {
        if weight == 1.0 { self } else { Clause::Boosted(Box::new(self), weight) }
    }
}

/// The best of several ways in which a word can match; `None` when there is none.
pub(in crate::search) fn best(mut clauses: Vec<Clause>) -> Option<Clause> {
    match clauses.len() {
        0 | 1 => clauses.pop(),
        _ => Some(Clause::Best(clauses)),
    }
}
