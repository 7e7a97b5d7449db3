//! From the words of a question to what a record must have.
//!
//! A word is found in a record when one of its readings stands in any text of the record that this viewer may read; all
//! words means that each of them is. Only the required clauses decide what is found; the bonuses only rank.

use tantivy::Term;
use tantivy::query::TermSetQuery;
use tantivy::schema::Field;

use super::bonus::{Bonus, Reason};
use super::gate::{self, Gate};
use super::mapping::Mapping;
use super::matching::{Clause, best};
use super::prefix;
use super::query::{self, Step, Word};
use super::schema::{Fields, Text};
use super::statistics::{OWNER_END, Statistics};
use super::visibility::{Filter, Visibility};
use crate::domain::visibility::Visible;

/// Which texts of a record are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attachments {
    /// All but the names and descriptions of attachments.
    #[default]
    Without,
    /// These as well.
    With,
    /// These alone.
    Only,
}

/// What the plan is made for.
#[derive(Clone, Copy)]
pub(super) struct Plan<'q> {
    pub statistics: &'q Statistics<'q>,
    pub fields: &'q Fields,
    pub mapping: &'q Mapping,
    pub visibility: &'q Visibility,
    pub titles_only: bool,
    pub attachments: Attachments,
    pub all_words: bool,
}

/// A classes filter leads the intersection when it has at most this many terms.
const LEADING_SCOPES: usize = 200;
/// Questions that match fewer documents than this are not worth a leading filter.
const LEADING_FROM: u64 = 20_000;

impl Plan<'_> {
    /// What the hits match, after the filter.
    pub fn query(&self, words: &query::Query, filter: &Filter) -> tantivy::Result<Clause> {
        let mut required = Vec::with_capacity(words.words.len());
        let lenient = !self.all_words && words.words.len() > 1;
        for word in &words.words {
            if lenient && !word.apart.is_empty() {
                for part in &word.apart {
                    required.push(self.word(part)?);
                }
                required.push(self.word(word)?.boosted(self.mapping.ranking.compound));
            } else {
                required.push(self.word(word)?);
            }
        }
        if words.is_empty() {
            return Ok(Clause::Nothing);
        }
        let mut core = if self.all_words || required.is_empty() { Clause::all(required) } else { Clause::any(required) };
        if let Some(scopes) = self.leading(words, filter)? {
            core = Clause::All(vec![Clause::engine(Box::new(TermSetQuery::new(scopes))), core]);
        }
        Ok(core)
    }

    /// What hits must not match.
    pub fn excluded(&self, words: &query::Query) -> tantivy::Result<Vec<Clause>> {
        words.without.iter().map(|word| self.word(word)).collect()
    }

    /// One word, or one of those that stand in for it, in all the texts that the viewer may read.
    fn word(&self, word: &Word) -> tantivy::Result<Clause> {
        if word.or.is_empty() {
            return self.one_word(word);
        }
        let ways = std::iter::once(word).chain(&word.or).map(|word| self.one_word(word)).collect::<tantivy::Result<_>>()?;
        Ok(Clause::any(ways))
    }

    /// One word in all the texts that the viewer may read, without those that stand in for it.
    pub fn one_word(&self, word: &Word) -> tantivy::Result<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        for text in self.open_fields() {
            if let Some(clause) = self.in_field(word, text, "")? {
                clauses.push(clause);
            }
        }
        if !self.titles_only && self.attachments != Attachments::Only {
            for restricted in &self.fields.restricted {
                if let Some(inner) = self.in_field(word, &restricted.any, "")? {
                    clauses.push(self.gate(inner, gate::Text::AnyNotes));
                }
                let Some(user) = self.visibility.user() else { continue };
                if let Some(inner) = self.in_field(word, &restricted.own, &owner(user.0))? {
                    clauses.push(self.gate(inner, gate::Text::OwnNotes));
                }
            }
            self.custom(word, &mut clauses)?;
        }
        if self.attachments != Attachments::Without {
            for text in &self.fields.project_files {
                let inner = self.in_field(word, text, "")?;
                clauses.extend(inner.map(|inner| self.gate(inner, gate::Text::ProjectFiles)));
            }
        }
        Ok(Clause::any(clauses))
    }

    /// One word in the values of the custom fields that the viewer may read.
    fn custom(&self, word: &Word, clauses: &mut Vec<Clause>) -> tantivy::Result<()> {
        for text in &self.fields.custom {
            for (place, (field, visible)) in self.visibility.fields().iter().enumerate() {
                let Some(inner) = self.in_field(word, text, &owner(field.0))? else { continue };
                let open = *visible == Visible::Everything;
                clauses.push(if open { inner } else { self.gate(inner, gate::Text::Field(place)) });
            }
        }
        Ok(())
    }

    fn gate(&self, inner: Clause, text: gate::Text) -> Clause {
        Clause::Gated(Box::new(inner), Gate { text, visibility: self.visibility.clone() })
    }

    /// The fields that everybody who sees the record may read, as far as they were asked for.
    fn open_fields(&self) -> impl Iterator<Item = &Text> {
        let main = if self.titles_only { &self.fields.titles } else { &self.fields.text };
        let main = main.iter().filter(|_| self.attachments != Attachments::Only);
        main.chain(self.fields.attachments.iter().filter(|_| self.attachments != Attachments::Without))
    }

    /// One word in one field; `None` when no word of the field begins as it does.
    fn in_field(&self, word: &Word, text: &Text, owner: &str) -> tantivy::Result<Option<Clause>> {
        let mut readings: Vec<Clause> = Vec::new();
        for steps in &word.readings {
            if word.prefix {
                readings.extend(self.begun(steps, text.field, owner)?);
            } else {
                readings.push(Plan::reading(steps, text.field, owner));
            }
        }
        Ok(best(readings).map(|clause| clause.boosted(text.weight)))
    }

    /// One reading: a term or a phrase.
    fn reading(steps: &[Step], field: Field, owner: &str) -> Clause {
        let terms = steps.iter().map(|step| (step.offset, Term::from_field_text(field, &format!("{owner}{}", step.term))));
        Clause::phrase(terms.collect(), 0)
    }

    /// One reading whose last step only begins a word.
    fn begun(&self, steps: &[Step], field: Field, owner: &str) -> tantivy::Result<Vec<Clause>> {
        let Some((last, before)) = steps.split_last() else { return Ok(Vec::new()) };
        // Behind other parts there is no range for the rest.
        let limit = if before.is_empty() { self.mapping.bounds.prefix_terms } else { self.mapping.bounds.prefix_parts };
        let expansion = prefix::expand(self.statistics.searcher(), field, owner, &last.plain, limit)?;
        let mut clauses: Vec<Clause> = Vec::new();
        for term in expansion.terms {
            let mut terms: Vec<(usize, Term)> =
                before.iter().map(|step| (step.offset, Term::from_field_text(field, &format!("{owner}{}", step.term)))).collect();
            terms.push((last.offset, Term::from_field_text(field, &term)));
            clauses.push(Clause::phrase(terms, 0));
        }
        if expansion.more && before.is_empty() {
            let rest = prefix::rest(field, owner, &last.plain);
            clauses.extend(rest.into_iter().map(Clause::engine));
        }
        Ok(clauses)
    }

    /// What only ranks: words that stand in the title as they were asked, and neighbours that are neighbours in the text.
    pub fn bonuses(&self, words: &query::Query) -> Vec<Bonus> {
        let ranking = &self.mapping.ranking;
        let mut bonuses = Vec::new();
        let steps: Vec<&Step> = words.words.iter().flat_map(Word::finest).collect();
        if ranking.exact_title > 0.0 && self.attachments != Attachments::Only {
            for title in &self.fields.titles {
                for step in &steps {
                    let term = Term::from_field_text(title.field, &step.written);
                    bonuses.push(Bonus { reason: Reason::ExactTitle, terms: vec![(0, term)], slop: 0, factor: ranking.exact_title });
                }
            }
        }
        if ranking.adjacent_pair > 0.0 {
            for text in self.open_fields() {
                for pair in steps.windows(2) {
                    let terms = (0..).zip(pair).map(|(at, step)| (at, Term::from_field_text(text.field, &step.term))).collect();
                    let (slop, factor) = (ranking.pair_slop, ranking.adjacent_pair);
                    bonuses.push(Bonus { reason: Reason::AdjacentWords, terms, slop, factor });
                }
            }
        }
        bonuses
    }

    /// The terms of the classes that can be found, where they are few and would leave less to do than the words.
    fn leading(&self, words: &query::Query, filter: &Filter) -> tantivy::Result<Option<Vec<Term>>> {
        if words.words.is_empty() {
            return Ok(None);
        }
        let matches = self.estimate(words)?;
        if matches < LEADING_FROM {
            return Ok(None);
        }
        let Some(scopes) = filter.scopes(LEADING_SCOPES) else { return Ok(None) };
        let mut documents = 0;
        let mut terms = Vec::with_capacity(scopes.len());
        for scope in scopes {
            let term = Term::from_field_u64(self.fields.scope, scope);
            documents += self.statistics.having(&term)?;
            terms.push(term);
            if documents > matches / 4 {
                return Ok(None);
            }
        }
        Ok(Some(terms))
    }

    /// About how many documents the words match.
    fn estimate(&self, words: &query::Query) -> tantivy::Result<u64> {
        let mut counts = Vec::with_capacity(words.words.len());
        for word in &words.words {
            let mut rarest = u64::MAX;
            for step in word.finest() {
                let mut count = 0;
                for text in self.open_fields() {
                    count += self.statistics.having(&Term::from_field_text(text.field, &step.term))?;
                }
                rarest = rarest.min(count);
            }
            // Words that stand in for it may match anything.
            counts.push(if word.or.is_empty() { rarest } else { u64::MAX / 1000 });
        }
        let all = if self.all_words { counts.into_iter().min() } else { Some(counts.into_iter().sum()) };
        Ok(all.unwrap_or(0))
    }
}

/// What stands before each term of a user's private notes, or of a custom field's values.
pub(super) fn owner(number: i64) -> String {
    format!("{number}{OWNER_END}")
}
