//! Alternatives to a search for all words that finds little: corrected words, fewer words, any of
//! the words.
//!
//! Invariant: the number of hits of an alternative is what the viewer gets who runs it, and its
//! words are chosen by what the viewer may see.

use std::cmp::Reverse;
use tantivy::Result;

use super::Index;
use super::search::counting;
use crate::execute::spelling::{Misspelled, SpellChecker};
use crate::query::edit::{text_of, without_words};
use crate::query::parsed_query::ParsedQuery;
use crate::query::word::Word;
use crate::request::{Alternative, DidYouMean, FEW_HITS, SearchRequest, SearchResponse};
use crate::scoring::statistics::Statistics;

/// Maximum number of words that are left out.
const MAX_LEFT_OUT: usize = 3;
/// How many of the rarest words are tried for leaving out one.
const MAX_TRIED: usize = 6;

impl Index {
    /// Adds the alternatives to a response for all words that has few hits. `query` is that of the
    /// request with unknown words corrected.
    pub(super) fn add_alternatives(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        spell_checker: &SpellChecker<'_>,
        response: &mut SearchResponse,
        statistics: &Statistics<'_>,
    ) -> Result<()> {
        let corrected = self.correct_rare(request, query, spell_checker, statistics)?;
        let query = corrected.as_ref().map_or(query, |(query, _)| query);
        let mut total = response.total;
        if let Some((corrected_query, corrected_total)) = corrected
            .as_ref()
            .filter(|(_, corrected)| *corrected > response.total)
        {
            let text = text_of(&corrected_query.tokens);
            response.did_you_mean.get_or_insert_with(|| DidYouMean {
                text: text.clone(),
                total: *corrected_total,
                is_searched: false,
            });
            response.alternatives.push(Alternative {
                text,
                all_words: true,
                without: Vec::new(),
                total: *corrected_total,
            });
            total = *corrected_total;
        }
        if query.words.len() < 2 {
            return Ok(());
        }
        let any_word = SearchRequest {
            query,
            all_words: false,
            ..counting(request)
        };
        let any_total = self.search_any_word(&any_word, statistics)?.total;
        if any_total > response.total {
            let text = text_of(&query.tokens);
            response.alternatives.push(Alternative {
                text,
                all_words: false,
                without: Vec::new(),
                total: any_total,
            });
        }
        if total < FEW_HITS {
            response.alternatives.extend(self.with_fewer_words(
                request,
                query,
                total,
                spell_checker,
                statistics,
            )?);
        }
        Ok(())
    }

    /// Corrects words that are far rarer than a similar one. Returns the corrected query with the
    /// number of its hits; `None` if there is nothing to correct.
    fn correct_rare(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        spell_checker: &SpellChecker<'_>,
        statistics: &Statistics<'_>,
    ) -> Result<Option<(ParsedQuery, u64)>> {
        let Some(mut correction) = spell_checker.correct(query, Misspelled::Rare)? else {
            return Ok(None);
        };
        if self.total(request, &correction.text_with_all(), statistics)? > 0 {
            correction.keep_best(|text| self.total(request, text, statistics))?;
        } else {
            correction.keep_first();
        }
        let text = correction.text_with_all();
        let total = self.total(request, &text, statistics)?;
        Ok(self.parse(&text).map(|query| (query, total)))
    }

    /// Leaves out the one word without which most is found; if nothing is found, more words, the
    /// rarest first.
    fn with_fewer_words(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        total: u64,
        spell_checker: &SpellChecker<'_>,
        statistics: &Statistics<'_>,
    ) -> Result<Option<Alternative>> {
        let mut by_frequency = query
            .words
            .iter()
            .map(|word| Ok((spell_checker.frequency(word)?, word)))
            .collect::<Result<Vec<_>>>()?;
        by_frequency.sort_by_key(|(frequency, _)| *frequency);
        let mut rarest: Vec<&Word> = by_frequency.into_iter().map(|(_, word)| word).collect();
        let mut left_out: Vec<&Word> = Vec::new();
        while rarest.len() > 1 && left_out.len() < MAX_LEFT_OUT {
            let mut found = Vec::new();
            for word in rarest.iter().take(MAX_TRIED) {
                let left_out: Vec<&Word> = left_out.iter().copied().chain([*word]).collect();
                let (text, without) = without_words(query, &left_out, &self.config.bounds);
                let total = self.total(request, &text, statistics)?;
                found.push(Alternative {
                    text,
                    all_words: true,
                    without,
                    total,
                });
            }
            // The first of the best.
            let best = found
                .into_iter()
                .min_by_key(|alternative| Reverse(alternative.total));
            if let Some(best) = best.filter(|best| best.total > total) {
                return Ok(Some(best));
            }
            left_out.push(rarest.remove(0));
        }
        Ok(None)
    }
}
