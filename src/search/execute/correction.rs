//! Chooses among the candidates for misspelled words of a query, by the number of hits that they
//! have together.

use std::cmp::Reverse;

use crate::query::parsed_query::ParsedQuery;
use crate::query::token::{Token, TokenKind, text_of};

/// Maximum number of candidates for a misspelled word, where they are about as likely (see
/// `index-schema/README.md`).
pub(super) const MAX_CANDIDATES: usize = 3;
/// Maximum number of combinations of candidates whose hits are counted: enough for all those of two
/// misspelled words.
const MAX_COMBINATIONS: usize = MAX_CANDIDATES * MAX_CANDIDATES;

/// A query with candidates for its misspelled words.
pub(crate) struct Correction<'q> {
    original: &'q ParsedQuery,
    misspellings: Vec<Misspelling>,
}

/// A misspelled word.
pub(crate) struct Misspelling {
    /// The indexes of its tokens in the query.
    pub tokens: Vec<usize>,
    /// The candidates, the most likely first; never empty.
    pub candidates: Vec<Candidate>,
}

/// A word that may have been meant.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// The word.
    pub text: String,
    /// How likely the edits are, as a factor: 1, or more for swapped letters.
    pub edit_likelihood: u64,
}

impl<'q> Correction<'q> {
    /// Creates a correction of a query; there is at least one misspelled word.
    pub fn new(original: &'q ParsedQuery, misspellings: Vec<Misspelling>) -> Correction<'q> {
        Correction {
            original,
            misspellings,
        }
    }

    /// Whether each misspelled word has one candidate.
    pub fn is_unique(&self) -> bool {
        self.misspellings
            .iter()
            .all(|misspelling| misspelling.candidates.len() == 1)
    }

    /// Keeps one candidate for each misspelled word: those with the most hits together, multiplied
    /// by how likely their edits are. `count` returns the number of hits of a query. Among equals,
    /// the most likely combination is kept.
    ///
    /// At most [`MAX_COMBINATIONS`] are compared. If there are more, the first words are corrected
    /// one by one before that. A candidate then counts by its hits with all candidates of the other
    /// words.
    pub fn keep_best<E>(&mut self, count: impl Fn(&str) -> Result<u64, E>) -> Result<(), E> {
        let mut index = 0;
        while self.combinations().len() > MAX_COMBINATIONS {
            let choices: Vec<Vec<Candidate>> = self.misspellings[index]
                .candidates
                .iter()
                .map(|candidate| vec![candidate.clone()])
                .collect();
            let best = best_of(choices, |candidates| {
                self.misspellings[index].candidates = candidates.to_vec();
                count(&self.text_with_all())
            })?;
            self.misspellings[index].candidates = best;
            index += 1;
        }
        let best = best_of(self.combinations(), |candidates| {
            self.keep(candidates);
            count(&self.text_with_all())
        })?;
        self.keep(&best);
        Ok(())
    }

    /// Returns all combinations of one candidate for each misspelled word, the most likely first.
    fn combinations(&self) -> Vec<Vec<Candidate>> {
        let mut combinations: Vec<(usize, Vec<Candidate>)> = vec![(0, Vec::new())];
        for misspelling in &self.misspellings {
            let extended = combinations.iter().flat_map(|(rank, combination)| {
                let candidates = misspelling.candidates.iter().enumerate();
                candidates.map(move |(n, candidate)| {
                    (
                        rank + n,
                        combination.iter().chain([candidate]).cloned().collect(),
                    )
                })
            });
            combinations = extended.collect();
        }
        // The sort is stable: among equal ranks, the first words keep their most likely candidates.
        combinations.sort_by_key(|(rank, _)| *rank);
        combinations
            .into_iter()
            .map(|(_, combination)| combination)
            .collect()
    }

    /// Keeps one candidate for each misspelled word.
    fn keep(&mut self, candidates: &[Candidate]) {
        for (misspelling, candidate) in self.misspellings.iter_mut().zip(candidates) {
            misspelling.candidates = vec![candidate.clone()];
        }
    }

    /// Keeps only the most likely candidate of each misspelled word.
    pub fn keep_first(&mut self) {
        self.misspellings
            .iter_mut()
            .for_each(|misspelling| misspelling.candidates.truncate(1));
    }

    /// Returns the text of the query with all candidates, joined by `OR`, in place of each
    /// misspelled word.
    pub fn text_with_all(&self) -> String {
        let mut tokens = Vec::with_capacity(self.original.tokens.len());
        for (index, token) in self.original.tokens.iter().enumerate() {
            match self
                .misspellings
                .iter()
                .find(|misspelling| misspelling.tokens.contains(&index))
            {
                None => tokens.push(token.clone()),
                Some(misspelling) => {
                    for (n, candidate) in misspelling.candidates.iter().enumerate() {
                        tokens.push(Token {
                            or: token.or || n > 0,
                            kind: TokenKind::Word(candidate.text.clone()),
                            ..token.clone()
                        });
                    }
                }
            }
        }
        text_of(&tokens)
    }
}

/// Returns the first of the choices with the highest count, multiplied by how likely the edits are.
/// Does not count a single choice.
fn best_of<E>(
    mut choices: Vec<Vec<Candidate>>,
    mut count: impl FnMut(&[Candidate]) -> Result<u64, E>,
) -> Result<Vec<Candidate>, E> {
    if choices.len() < 2 {
        return Ok(choices.pop().unwrap_or_default());
    }
    let mut scores = Vec::with_capacity(choices.len());
    for choice in &choices {
        let likelihoods = choice.iter().map(|candidate| candidate.edit_likelihood);
        scores.push(likelihoods.fold(count(choice)?, u64::saturating_mul));
    }
    let best = (0..choices.len())
        .max_by_key(|index| (scores[*index], Reverse(*index)))
        .unwrap_or(0);
    Ok(choices.swap_remove(best))
}
