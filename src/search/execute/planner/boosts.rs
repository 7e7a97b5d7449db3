//! What adds to the score of a hit and does not decide what matches.

use tantivy::Term;

use super::Planner;
use crate::query::parsed_query::ParsedQuery;
use crate::query::word::{QueryTerm, Word};
use crate::request::Attachments;
use crate::scoring::boosts::{Boost, BoostKind};

impl Planner<'_> {
    /// Returns the boosts: for words that are in the title exactly as in the query, for adjacent
    /// words that are adjacent in the text, and for words of several parts that are there as a
    /// whole.
    pub fn boosts(&self, query: &ParsedQuery) -> Vec<Boost> {
        let ranking = &self.config.ranking;
        let mut boosts = Vec::new();
        let clause_words = query.clause_words();
        let words = query.words.iter().chain(clause_words);
        let words: Vec<&Word> = words.collect();
        let terms: Vec<&QueryTerm> = words.iter().flat_map(|word| word.finest()).collect();
        if ranking.exact_title > 0.0 && self.attachments != Attachments::Only {
            for title in &self.fields.titles {
                for term in &terms {
                    let term = Term::from_field_text(title.field, &term.exact);
                    boosts.push(Boost {
                        kind: BoostKind::ExactTitle,
                        terms: vec![(0, term)],
                        slop: 0,
                        factor: ranking.exact_title,
                    });
                }
            }
        }
        if ranking.adjacent_pair > 0.0 {
            for text in self.unrestricted_fields() {
                for term in words.iter().filter_map(|word| word.joined_whole()) {
                    boosts.push(Boost {
                        kind: BoostKind::AdjacentWords,
                        terms: vec![(0, Term::from_field_text(text.field, &term.term))],
                        slop: 0,
                        factor: ranking.adjacent_pair,
                    });
                }
                for pair in terms.windows(2) {
                    let terms = (0..)
                        .zip(pair)
                        .map(|(offset, term)| {
                            (offset, Term::from_field_text(text.field, &term.term))
                        })
                        .collect();
                    let slop = ranking.pair_slop;
                    let factor = ranking.adjacent_pair;
                    boosts.push(Boost {
                        kind: BoostKind::AdjacentWords,
                        terms,
                        slop,
                        factor,
                    });
                }
            }
        }
        boosts
    }
}
