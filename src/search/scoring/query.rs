//! What a document must contain to match, as a tree of queries.

use std::fmt;
use std::sync::Arc;
use tantivy::Term;

use crate::access::restricted::RestrictedTextFilter;
use crate::analyzer::Section;
use crate::schema::columns::AttributeFilter;

/// A query and how its score is made.
#[derive(Clone, Debug)]
pub(crate) enum Query {
    /// Matches nothing.
    Empty,
    /// Matches every document with a score of 1.
    AllDocs,
    /// Matches a term, scored by BM25.
    Term(Term),
    /// Matches terms of one field, each with its offset, that are at most this many positions (the
    /// slop) out of place. Scored as one rare term.
    Phrase(Vec<(usize, Term)>, u32),
    /// Matches terms of one field, each with its offset, in one section of its text. Scored as one
    /// rare term.
    InSection(Vec<(usize, Term)>, Section),
    /// Matches what a tantivy query matches, without a score.
    Tantivy(TantivyQuery),
    /// Matches if any of them does; the score is the best one.
    DisMax(Vec<Query>),
    /// Matches if any of them does; the score is the sum.
    Or(Vec<Query>),
    /// Matches if all of them do; the score is the sum.
    And(Vec<Query>),
    /// Matches what the query does not match, without a score.
    Not(Box<Query>),
    /// Matches what has an attribute, without a score.
    Attribute(AttributeFilter),
    /// Matches only where the viewer may read the text.
    Restricted(Box<Query>, RestrictedTextFilter),
    /// Multiplies the score.
    Boost(Box<Query>, f32),
}

/// A query of tantivy.
#[derive(Clone)]
pub(crate) struct TantivyQuery(pub Arc<dyn tantivy::query::Query>);

impl fmt::Debug for TantivyQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Query {
    /// Wraps a query of tantivy, which matches without a score.
    pub fn tantivy(query: Box<dyn tantivy::query::Query>) -> Query {
        Query::Tantivy(TantivyQuery(query.into()))
    }

    /// Matches any of the queries and sums their scores.
    pub fn or(mut queries: Vec<Query>) -> Query {
        match queries.len() {
            0 => Query::Empty,
            1 => queries.remove(0),
            _ => Query::Or(queries),
        }
    }

    /// Matches all of the queries and sums their scores.
    pub fn and(mut queries: Vec<Query>) -> Query {
        match queries.len() {
            0 => Query::AllDocs,
            1 => queries.remove(0),
            _ => Query::And(queries),
        }
    }

    /// Matches any of the queries with its best score; `None` without queries.
    pub fn dis_max(mut queries: Vec<Query>) -> Option<Query> {
        match queries.len() {
            0 | 1 => queries.pop(),
            _ => Some(Query::DisMax(queries)),
        }
    }

    /// Matches the terms, each with its offset, up to `slop` positions out of place. A single term
    /// is a term query.
    pub fn phrase(mut terms: Vec<(usize, Term)>, slop: u32) -> Query {
        match terms.len() {
            0 => Query::Empty,
            1 => Query::Term(terms.remove(0).1),
            _ => Query::Phrase(terms, slop),
        }
    }

    /// Multiplies the score by `factor`.
    pub fn boost(self, factor: f32) -> Query {
        if factor == 1.0 {
            self
        } else {
            Query::Boost(Box::new(self), factor)
        }
    }
}
