//! Plans for the variants of a word: terms and phrases of one field.

use tantivy::Term;
use tantivy::schema::Field;

use super::{Planner, owned_term};
use crate::execute::prefix;
use crate::query::word::QueryTerm;
use crate::scoring::Query;

/// Maximum number of terms before the last in all phrases of a prefix, which may have 4,000 parts.
const MAX_PREFIX_PHRASE_TERMS: usize = 16_000;

impl Planner<'_> {
    /// Matches a variant: a term or a phrase.
    pub(super) fn variant(&self, terms: &[QueryTerm], field: Field, owner: &str) -> Query {
        let terms = terms.iter();
        self.phrase(
            terms
                .map(|term| (term.offset, owned_term(field, owner, term)))
                .collect(),
        )
    }

    /// Matches a variant whose last term is a prefix, with one query per term that it expands to.
    pub(super) fn prefix_variant(
        &self,
        terms: &[QueryTerm],
        field: Field,
        owner: &str,
    ) -> tantivy::Result<Vec<Query>> {
        let Some((last, preceding)) = terms.split_last() else {
            return Ok(Vec::new());
        };
        // There is no range query for the last term of a phrase, nor for one section.
        let has_ranges = preceding.is_empty() && self.section.is_none();
        let limit = if has_ranges {
            self.config.bounds.prefix_terms
        } else {
            let phrases = (MAX_PREFIX_PHRASE_TERMS / preceding.len().max(1)).max(1);
            self.config.bounds.prefix_parts.min(phrases)
        };
        let expansion = prefix::expand(
            self.statistics.searcher(),
            field,
            owner,
            &last.unstemmed,
            limit,
        )?;
        let mut queries: Vec<Query> = Vec::new();
        for term in expansion.terms {
            let mut phrase: Vec<(usize, Term)> = preceding
                .iter()
                .map(|term| (term.offset, owned_term(field, owner, term)))
                .collect();
            phrase.push((last.offset, Term::from_field_text(field, &term)));
            queries.push(self.phrase(phrase));
        }
        if expansion.has_more && has_ranges {
            let ranges = prefix::range_queries(field, owner, &last.unstemmed);
            queries.extend(ranges.into_iter().map(Query::tantivy));
        }
        Ok(queries)
    }

    fn phrase(&self, terms: Vec<(usize, Term)>) -> Query {
        match self.section {
            Some(section) => Query::InSection(terms, section),
            None => Query::phrase(terms, 0),
        }
    }
}
