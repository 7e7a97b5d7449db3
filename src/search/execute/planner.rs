//! Plans a parsed query: which queries are executed, and which boosts are added.
//!
//! A word matches a record if one of its variants occurs in any text of the record that the viewer
//! may read. With "all words", every word must match. Boosts change the order of hits, never which
//! records match.

use tantivy::Term;
use tantivy::query::TermSetQuery;
use tantivy::schema::Field;

use crate::access::filter::DocFilter;
use crate::access::restricted::{RestrictedText, RestrictedTextFilter};
use crate::access::visibility::Visibility;
use crate::analyzer::Section;
use crate::query::clause::Clause;
use crate::query::parsed_query::ParsedQuery;
use crate::query::resolve::ResolvedQualifier;
use crate::query::word::{QueryTerm, Word};
use crate::request::Attachments;
use crate::schema::config::IndexConfig;
use crate::schema::fields::{Fields, WeightedField};
use crate::schema::scoped_term::owner_prefix;
use crate::scoring::statistics::Statistics;
use crate::scoring::{Query, Weight};
use quarry_domain::access::visible::Visible;

mod boosts;
mod places;
mod variants;

/// Plans the queries of one search.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'q> {
    pub statistics: &'q Statistics<'q>,
    pub fields: &'q Fields,
    pub config: &'q IndexConfig,
    pub visibility: &'q Visibility,
    pub titles_only: bool,
    pub attachments: Attachments,
    pub all_words: bool,
    /// The conditions of the qualifiers in clauses.
    pub resolved: &'q [ResolvedQualifier],
    /// The section in which words must be; `None` for all text.
    pub section: Option<Section>,
}

/// Maximum number of terms of a filter by scope that leads the intersection.
const MAX_LEADING_SCOPES: usize = 200;
/// Minimum number of matching documents for which a leading filter pays off.
const MIN_DOCS_TO_LEAD: u64 = 20_000;

/// Minimum number of postings of counted words per visible document for which a look-up pays off.
const MIN_POSTINGS_PER_DOC: u64 = 8;

impl Planner<'_> {
    /// Returns the query that hits match; `filter` still has to be applied.
    pub fn query(&self, query: &ParsedQuery, filter: &DocFilter) -> tantivy::Result<Query> {
        let mut words = Vec::with_capacity(query.words.len());
        let any_word = !self.all_words && query.has_optional_words();
        let mut required = Vec::new();
        for clause in query.clauses.iter().filter(|clause| clause.has_words()) {
            let planned = self.clause(clause, None)?;
            if clause.is_text() {
                words.push(planned);
            } else {
                required.push(planned);
            }
        }
        for word in &query.words {
            if !any_word {
                words.push(self.word(word)?);
                continue;
            }
            let ranking = &self.config.ranking;
            let repetition = ranking.repetition(word.count);
            for part in &word.parts {
                words.push(self.word(part)?.boost(repetition));
            }
            let whole = if word.parts.is_empty() {
                1.0
            } else {
                ranking.compound
            };
            words.push(self.word(word)?.boost(repetition * whole));
        }
        if query.is_empty() {
            return Ok(Query::Empty);
        }
        if any_word && !words.is_empty() {
            required.push(Query::or(words));
        } else {
            required.extend(words);
        }
        let mut planned = Query::and(required);
        if let Some(scopes) = self.leading_scopes(query, filter)? {
            planned = Query::And(vec![
                Query::tantivy(Box::new(TermSetQuery::new(scopes))),
                planned,
            ]);
        }
        Ok(planned)
    }

    /// Returns the queries that hits must not match: excluded words, and the complements of clauses
    /// without words to score.
    pub fn excluded(&self, query: &ParsedQuery) -> tantivy::Result<Vec<Query>> {
        let words = query.excluded.iter().map(|word| self.word(word));
        let clauses = query.clauses.iter().filter(|clause| !clause.has_words());
        let clauses = clauses.map(|clause| {
            let clause = self.clause(clause, None)?;
            Ok(match clause {
                Query::Not(excluded) => *excluded,
                required => Query::Not(Box::new(required)),
            })
        });
        words.chain(clauses).collect()
    }

    /// Matches a clause. With `only`, no other word adds to the score.
    pub fn clause(&self, clause: &Clause, only: Option<&Word>) -> tantivy::Result<Query> {
        let all = |clauses: &[Clause]| -> tantivy::Result<Vec<Query>> {
            let queries = clauses.iter().map(|clause| self.clause(clause, only));
            queries.collect()
        };
        Ok(match clause {
            Clause::Word(word) => {
                let is_scored = only.is_none_or(|only| only.has_same_text(word));
                self.word(word)?.boost(if is_scored { 1.0 } else { 0.0 })
            }
            Clause::Qualifier(qualifier) => {
                let mut resolved = self.resolved.iter();
                resolved
                    .find_map(|resolved| resolved.filter_of(qualifier))
                    .map_or(Query::Empty, |filter| Query::Attribute(filter.clone()))
            }
            Clause::Not(clause) => Query::Not(Box::new(self.clause(clause, only)?)),
            Clause::All(clauses) => Query::and(all(clauses)?),
            Clause::Any(clauses) => Query::or(all(clauses)?),
            Clause::In(place, clause) => self.at(*place).clause(clause, only)?,
        })
    }

    /// Matches a word or one of its alternatives in all texts that the viewer may read.
    pub fn word(&self, word: &Word) -> tantivy::Result<Query> {
        if word.alternatives.is_empty() {
            return self.single_word(word);
        }
        let words = std::iter::once(word).chain(&word.alternatives);
        Ok(Query::or(
            words
                .map(|word| self.single_word(word))
                .collect::<tantivy::Result<_>>()?,
        ))
    }

    /// Matches a word without its alternatives in all texts that the viewer may read.
    pub fn single_word(&self, word: &Word) -> tantivy::Result<Query> {
        let mut queries: Vec<Query> = Vec::new();
        for text in self.unrestricted_fields() {
            if let Some(query) = self.in_field(word, text, "")? {
                queries.push(query);
            }
        }
        if !self.titles_only && self.attachments != Attachments::Only {
            if self.section != Some(Section::Text) {
                self.in_private_notes(word, &mut queries)?;
            }
            if self.section.is_none() {
                self.in_custom_fields(word, &mut queries)?;
            }
        }
        if self.attachments != Attachments::Without {
            for text in &self.fields.project_files {
                let query = self.in_field(word, text, "")?;
                queries
                    .extend(query.map(|query| self.restrict(query, RestrictedText::ProjectFiles)));
            }
        }
        Ok(Query::or(queries))
    }

    /// Matches a word in the private notes that the viewer may read. All of them are notes, so the
    /// section does not matter.
    fn in_private_notes(&self, word: &Word, queries: &mut Vec<Query>) -> tantivy::Result<()> {
        let planner = Planner {
            section: None,
            ..*self
        };
        for restricted in &self.fields.restricted {
            if let Some(query) = planner.in_field(word, &restricted.any, "")? {
                queries.push(self.restrict(query, RestrictedText::AllNotes));
            }
            let Some(user) = self.visibility.user() else {
                continue;
            };
            if let Some(query) = planner.in_field(word, &restricted.own, &owner_prefix(user.0))? {
                queries.push(self.restrict(query, RestrictedText::OwnNotes));
            }
        }
        Ok(())
    }

    /// Matches a word in the values of the custom fields that the viewer may read.
    fn in_custom_fields(&self, word: &Word, queries: &mut Vec<Query>) -> tantivy::Result<()> {
        for text in &self.fields.custom {
            for (index, (field, visible)) in self.visibility.custom_fields().iter().enumerate() {
                let Some(query) = self.in_field(word, text, &owner_prefix(field.0))? else {
                    continue;
                };
                let is_visible_everywhere = *visible == Visible::Everything;
                queries.push(if is_visible_everywhere {
                    query
                } else {
                    self.restrict(query, RestrictedText::CustomField(index))
                });
            }
        }
        Ok(())
    }

    fn restrict(&self, query: Query, text: RestrictedText) -> Query {
        Query::Restricted(
            Box::new(query),
            RestrictedTextFilter {
                text,
                visibility: self.visibility.clone(),
            },
        )
    }

    /// Returns the searched fields that everybody who sees a record may read.
    fn unrestricted_fields(&self) -> impl Iterator<Item = &WeightedField> {
        let main = if self.titles_only {
            &self.fields.titles
        } else {
            &self.fields.text
        };
        let main = main
            .iter()
            .filter(|_| self.attachments != Attachments::Only);
        main.chain(
            self.fields
                .attachments
                .iter()
                .filter(|_| self.attachments != Attachments::Without),
        )
    }

    /// Matches a word in one field; `None` if it is a prefix of no term. `owner` starts each term.
    fn in_field(
        &self,
        word: &Word,
        text: &WeightedField,
        owner: &str,
    ) -> tantivy::Result<Option<Query>> {
        let mut queries: Vec<Query> = Vec::new();
        for variant in &word.variants {
            if word.prefix {
                queries.extend(self.prefix_variant(variant, text.field, owner)?);
            } else {
                queries.push(self.variant(variant, text.field, owner));
            }
        }
        for spelling in &word.spellings {
            let query = self.variant(spelling, text.field, owner);
            queries.push(query.boost(self.config.ranking.other_spelling));
        }
        Ok(Query::dis_max(queries).map(|query| query.boost(text.weight)))
    }

    /// Returns the terms of the scopes that may pass the filter if they should lead the
    /// intersection: they are few, and have far fewer documents than the words.
    fn leading_scopes(
        &self,
        query: &ParsedQuery,
        filter: &DocFilter,
    ) -> tantivy::Result<Option<Vec<Term>>> {
        // The estimate knows nothing of clauses.
        if query.words.is_empty() || !(self.all_words || query.clauses.is_empty()) {
            return Ok(None);
        }
        let matches = self.estimate(query)?;
        if matches < MIN_DOCS_TO_LEAD {
            return Ok(None);
        }
        self.scopes_of(filter, matches / 4)
    }

    /// Returns a weight that matches all documents that may pass the filter, if they are few
    /// compared with the postings of these words.
    pub fn leading(&self, filter: &DocFilter, words: &[Weight]) -> tantivy::Result<Option<Weight>> {
        let mut postings: u64 = 0;
        for segment in self.statistics.snapshot().segments()? {
            for word in words {
                postings = postings.saturating_add(word.cost(segment));
            }
        }
        let scopes = self.scopes_of(filter, postings / MIN_POSTINGS_PER_DOC)?;
        let query = scopes.map(|scopes| Query::tantivy(Box::new(TermSetQuery::new(scopes))));
        query
            .map(|query| Weight::compile(&query, false, self.statistics))
            .transpose()
    }

    /// Returns the terms of the scopes that may pass the filter, if they are few and have at most
    /// this many documents.
    fn scopes_of(
        &self,
        filter: &DocFilter,
        max_documents: u64,
    ) -> tantivy::Result<Option<Vec<Term>>> {
        let Some(scopes) = filter.scopes(MAX_LEADING_SCOPES) else {
            return Ok(None);
        };
        let mut documents = 0;
        let mut terms = Vec::with_capacity(scopes.len());
        for scope in scopes {
            let term = Term::from_field_u64(self.fields.scope, scope);
            documents += self.statistics.doc_freq(&term)?;
            terms.push(term);
            if documents > max_documents {
                return Ok(None);
            }
        }
        Ok(Some(terms))
    }

    /// Estimates how many documents match the words.
    fn estimate(&self, query: &ParsedQuery) -> tantivy::Result<u64> {
        let mut estimates = Vec::with_capacity(query.words.len());
        for word in &query.words {
            let mut rarest = u64::MAX;
            for term in word.finest() {
                let mut doc_freq = 0;
                for text in self.unrestricted_fields() {
                    doc_freq += self
                        .statistics
                        .doc_freq(&Term::from_field_text(text.field, &term.term))?;
                }
                rarest = rarest.min(doc_freq);
            }
            // Alternatives may match anything.
            estimates.push(if word.alternatives.is_empty() {
                rarest
            } else {
                u64::MAX / 1000
            });
        }
        let total = if self.all_words {
            estimates.into_iter().min()
        } else {
            Some(estimates.into_iter().sum())
        };
        Ok(total.unwrap_or(0))
    }
}

fn owned_term(field: Field, owner: &str, term: &QueryTerm) -> Term {
    Term::from_field_text(field, &format!("{owner}{}", term.term))
}
