//! Alternatives to a search for all words that finds little: corrected words, fewer words, any of
//! the words.
//!
//! Invariant: the number of hits of an alternative is what the viewer gets who runs it, and its
//! words are chosen by what the viewer may see.

use std::cmp::Reverse;
use tantivy::Result;

use super::Index;
use crate::execute::spelling::{Misspelled, SpellChecker};
use crate::query::clause::Clause;
use crate::query::edit::{without_items, without_words};
use crate::query::parsed_query::ParsedQuery;
use crate::query::token::text_of;
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
        // Its clauses and excluded words are those of all alternatives.
        let request = &SearchRequest {
            query,
            ..request.clone()
        };
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
        if query.clauses.iter().any(Clause::has_words) {
            return self.add_fewer_items(request, query, response, total, statistics);
        }
        if query.words.len() < 2 {
            return Ok(());
        }
        let (any_word, _) = self.any_word_query(query, spell_checker)?;
        let rarest = if total < FEW_HITS {
            rarest_first(query, spell_checker)?
        } else {
            Vec::new()
        };
        let fewer_words = self.without_one_of(query, &rarest, &[]);
        let mut queries = vec![(any_word.words.as_slice(), false)];
        queries.extend(fewer_words.iter().map(FewerWords::words));
        let mut totals = self.totals(request, &queries, statistics)?;
        let any_total = totals.remove(0);
        if any_total > response.total {
            let text = text_of(&query.tokens);
            response.alternatives.push(Alternative {
                text,
                all_words: false,
                without: Vec::new(),
                total: any_total,
            });
        }
        let best = best_of(fewer_words, totals, total);
        response.alternatives.extend(match best {
            Some(best) => Some(best),
            None => self.without_several(request, query, rarest, total, statistics)?,
        });
        Ok(())
    }

    /// Adds the alternatives to a query with groups: any of its items, and all but one of them.
    fn add_fewer_items(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        response: &mut SearchResponse,
        total: u64,
        statistics: &Statistics<'_>,
    ) -> Result<()> {
        if query.has_optional_words() {
            let any_total = self.total_of(request, query, false, statistics)?;
            if any_total > response.total {
                response.alternatives.push(Alternative {
                    text: text_of(&query.tokens),
                    all_words: false,
                    without: Vec::new(),
                    total: any_total,
                });
            }
        }
        if total >= FEW_HITS {
            return Ok(());
        }
        let mut best: Option<Alternative> = None;
        for (text, without) in without_items(&query.tokens, MAX_TRIED) {
            let fewer_total = self.total(request, &text, statistics)?;
            if fewer_total > best.as_ref().map_or(total, |best| best.total) {
                best = Some(Alternative {
                    text,
                    all_words: true,
                    without: vec![without],
                    total: fewer_total,
                });
            }
        }
        response.alternatives.extend(best);
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

    /// Returns a query for each of the first of the rarest words: without it and without `left_out`.
    fn without_one_of(
        &self,
        query: &ParsedQuery,
        rarest: &[&Word],
        left_out: &[&Word],
    ) -> Vec<FewerWords> {
        if rarest.len() < 2 {
            return Vec::new();
        }
        let tried = rarest.iter().take(MAX_TRIED).filter_map(|word| {
            let left_out: Vec<&Word> = left_out.iter().chain([word]).copied().collect();
            let (text, without) = without_words(query, &left_out, &self.config.bounds);
            let query = self.parse(&text)?;
            Some(FewerWords {
                text,
                query,
                without,
            })
        });
        tried.collect()
    }

    /// Leaves out two or three words, the rarest first, where leaving out one does not find more.
    fn without_several(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        mut rarest: Vec<&Word>,
        total: u64,
        statistics: &Statistics<'_>,
    ) -> Result<Option<Alternative>> {
        let mut left_out: Vec<&Word> = Vec::new();
        while rarest.len() > 2 && left_out.len() < MAX_LEFT_OUT - 1 {
            left_out.push(rarest.remove(0));
            let tried = self.without_one_of(query, &rarest, &left_out);
            let queries: Vec<(&[Word], bool)> = tried.iter().map(FewerWords::words).collect();
            let totals = self.totals(request, &queries, statistics)?;
            if let Some(best) = best_of(tried, totals, total) {
                return Ok(Some(best));
            }
        }
        Ok(None)
    }
}

/// A query without some of its words.
struct FewerWords {
    text: String,
    query: ParsedQuery,
    without: Vec<String>,
}

impl FewerWords {
    /// Returns its words, all of which must match.
    fn words(&self) -> (&[Word], bool) {
        (&self.query.words, true)
    }
}

/// Returns the first of those with the most hits, if they are more than `total`.
fn best_of(tried: Vec<FewerWords>, totals: Vec<u64>, total: u64) -> Option<Alternative> {
    let best = tried
        .into_iter()
        .zip(totals)
        .min_by_key(|(_, total)| Reverse(*total));
    let (FewerWords { text, without, .. }, best_total) = best.filter(|(_, best)| *best > total)?;
    Some(Alternative {
        text,
        all_words: true,
        without,
        total: best_total,
    })
}

/// Returns the words of a query, those first that the fewest visible records have.
fn rarest_first<'q>(
    query: &'q ParsedQuery,
    spell_checker: &SpellChecker<'_>,
) -> Result<Vec<&'q Word>> {
    spell_checker.count_words(&query.words)?;
    let mut rarest = Vec::with_capacity(query.words.len());
    for word in &query.words {
        rarest.push((spell_checker.count_word(word)?, word));
    }
    rarest.sort_by_key(|(count, _)| *count);
    Ok(rarest.into_iter().map(|(_, word)| word).collect())
}
