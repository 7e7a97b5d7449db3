//! Counts the visible records that have a word.

use std::slice;
use tantivy::Term;
use tantivy::schema::Field;

use super::lexicon::words_with_stem;
use super::{MAX_COUNT, MAX_COUNTED_SCOPES, MAX_RARE_COUNT, Misspelled, SpellChecker};
use crate::analyzer::EXACT_MARKER;
use crate::execute::collector::count;
use crate::execute::filters::Filters;
use crate::execute::totals::{CountedQuery, totals};
use crate::query::word::Word;
use crate::scoring::{Query, Weight};

impl SpellChecker<'_> {
    /// Returns an upper bound of what [`SpellChecker::count`] returns: [`MAX_COUNT`], or fewer for
    /// viewers who see few projects.
    pub(super) fn max_count(&self) -> tantivy::Result<u64> {
        if let Some(count) = self.max_count.get() {
            return Ok(*count);
        }
        let mut count = MAX_COUNT;
        if let Some(scopes) = self.filter.scopes(MAX_COUNTED_SCOPES) {
            let mut visible = 0;
            for scope in scopes {
                let term = Term::from_field_u64(self.planner.fields.scope, scope);
                visible += self.planner.statistics.doc_freq(&term)?;
            }
            count = count.min(visible);
        }
        Ok(*self.max_count.get_or_init(|| count))
    }

    /// Counts the visible records that match a word: for `Unknown` only whether there is any, for
    /// `Rare` as many as can matter.
    pub(super) fn count_as(&self, misspelled: Misspelled, word: &Word) -> tantivy::Result<u64> {
        match misspelled {
            Misspelled::Unknown => self.count_up_to(1, word),
            Misspelled::Rare => match self.known_count(word) {
                Some(count) => Ok(count),
                None => self.count_up_to(MAX_RARE_COUNT + 1, word),
            },
        }
    }

    /// Counts the visible records that match a word or one of its alternatives, up to a maximum.
    pub fn frequency(&self, word: &Word) -> tantivy::Result<u64> {
        self.count_up_to(MAX_COUNT, word)
    }

    fn count_up_to(&self, max: u64, word: &Word) -> tantivy::Result<u64> {
        let query = self.planner.word(word)?;
        let weight = Weight::compile(&query, false, self.planner.statistics)?;
        count(self.snapshot, Filters::new(&self.filter), &weight, max)
    }

    /// Counts the visible records that match a word or one of its alternatives.
    pub fn count_word(&self, word: &Word) -> tantivy::Result<u64> {
        self.count_words(slice::from_ref(word))?;
        Ok(self.known_count(word).unwrap_or(0))
    }

    /// Returns the count of a word that was counted before.
    fn known_count(&self, word: &Word) -> Option<u64> {
        self.counts.borrow().get(word).copied()
    }

    /// Counts the visible records that match each of these words or one of its alternatives, in
    /// one pass, so that [`SpellChecker::count_word`] knows them.
    pub fn count_words(&self, words: &[Word]) -> tantivy::Result<()> {
        let mut new: Vec<&Word> = words.iter().collect();
        new.retain(|word| self.known_count(word).is_none());
        if new.is_empty() {
            return Ok(());
        }
        let weights = new
            .iter()
            .map(|word| Weight::compile(&self.planner.word(word)?, false, self.planner.statistics))
            .collect::<tantivy::Result<Vec<_>>>()?;
        let queries: Vec<CountedQuery> = (0..new.len()).map(CountedQuery::word).collect();
        let leading = self.planner.leading(&self.filter, &weights)?;
        let counted = totals(
            self.snapshot,
            Filters::new(&self.filter),
            leading.as_ref(),
            &weights,
            &queries,
        )?;
        let mut counts = self.counts.borrow_mut();
        counts.extend(new.into_iter().cloned().zip(counted));
        Ok(())
    }

    /// Counts the visible records that have exactly this word.
    ///
    /// A word that is its own stem shares its term with all words of that stem. In that case only
    /// records that have none of the others are counted.
    pub(super) fn count(&self, field: Field, word: &str) -> tantivy::Result<u64> {
        let exact = self.term_weight(field, &format!("{EXACT_MARKER}{word}"))?;
        let exact_count = count(self.snapshot, Filters::new(&self.filter), &exact, MAX_COUNT)?;
        if exact_count > 0 {
            return Ok(exact_count);
        }
        let others = words_with_stem(&self.snapshot.searcher, field, word)?;
        let others = others
            .iter()
            .map(|other| self.term_weight(field, other))
            .collect::<tantivy::Result<Vec<_>>>()?;
        let filters = Filters {
            excluded: &others,
            ..Filters::new(&self.filter)
        };
        count(
            self.snapshot,
            filters,
            &self.term_weight(field, word)?,
            MAX_COUNT,
        )
    }

    fn term_weight(&self, field: Field, term: &str) -> tantivy::Result<Weight> {
        Weight::compile(
            &Query::Term(Term::from_field_text(field, term)),
            false,
            self.planner.statistics,
        )
    }
}
