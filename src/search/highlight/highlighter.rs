//! Finds the words of a query in texts.

use super::fields::TextField;
use super::passage::{self, Passage};
use crate::analyzer::{PrefixFilter, Tokens};
use crate::query::parsed_query::ParsedQuery;
use crate::query::word::{QueryTerm, Word};

/// The span of a word of the query in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordSpan {
    /// Index of the text.
    pub(super) text: usize,
    /// Byte range.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Index of the word, in the order of [`ParsedQuery::every_word`].
    pub(super) word: usize,
}

/// Which words of the query occur in a text already, such as the title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoveredWords(Vec<bool>);

/// Finds the words of one query in texts. It is created once and used for all hits.
pub struct Highlighter<'q> {
    /// All terms to find, sorted.
    terms: Vec<SearchTerm<'q>>,
    /// The term sequences that match words.
    sequences: Vec<TermSequence>,
    /// Prefixes, with the sequence that each completes.
    prefixes: Vec<(&'q str, usize)>,
    /// Filter by the first letters of terms and prefixes.
    pub(super) prefilter: PrefixFilter,
    /// Maximum distance in positions between the first and the last term of a sequence.
    max_distance: usize,
    /// For each word its index in the query: an alternative has that of the word before it.
    pub(super) query_index: Vec<usize>,
}

struct SearchTerm<'q> {
    term: &'q str,
    /// The sequences that end with it.
    ends: Vec<usize>,
    /// Whether it occurs before the end of some sequence.
    inner: bool,
}

struct TermSequence {
    word: usize,
    /// The terms before the last, each with its distance from the last in positions.
    before: Vec<(usize, usize)>,
}

impl TermSequence {
    /// Returns the start of the sequence whose last term is at this position and starts at this
    /// offset; `None` if another of its terms is missing.
    fn start(&self, state: &ReadState, position: usize, from: usize) -> Option<usize> {
        let mut start = from;
        for (term, distance) in &self.before {
            let from = state.offset_of(*term, position.checked_sub(*distance)?)?;
            start = start.min(from);
        }
        Some(start)
    }
}

/// The state after a part of a text, because texts are read in parts.
#[derive(Default)]
pub(super) struct ReadState {
    /// Occurrences of inner terms of sequences: index of the term, position, and start offset.
    seen: Vec<(usize, usize, usize)>,
    position: usize,
    /// Positions must be exact below this one, because a sequence that has started may end there.
    exact_below: usize,
}

impl ReadState {
    /// Returns the offset of an inner term at this position.
    fn offset_of(&self, term: usize, position: usize) -> Option<usize> {
        let end = self
            .seen
            .partition_point(|(_, seen_position, _)| *seen_position <= position);
        self.seen[..end]
            .iter()
            .rev()
            .take_while(|(_, seen_position, _)| *seen_position == position)
            .find(|(seen, ..)| *seen == term)
            .map(|(.., from)| *from)
    }
}

impl<'q> Highlighter<'q> {
    /// Creates a highlighter for a query. With `any_word`, parts of compound words are marked too.
    pub fn new(query: &'q ParsedQuery, any_word: bool) -> Highlighter<'q> {
        let mut query_index = Vec::new();
        let mut sequences: Vec<(usize, &'q [QueryTerm], bool)> = Vec::new();
        for (index, query_word) in query.words.iter().enumerate() {
            for word in std::iter::once(query_word).chain(&query_word.alternatives) {
                let words = std::iter::once(word).chain(word.parts.iter().filter(|_| any_word));
                let words = words.flat_map(|word: &Word| {
                    let spellings = word.spellings.iter().map(|steps| (steps.as_slice(), false));
                    word.variants
                        .iter()
                        .map(|steps| (steps.as_slice(), word.prefix))
                        .chain(spellings)
                });
                sequences.extend(words.map(|(steps, prefix)| (query_index.len(), steps, prefix)));
                query_index.push(index);
            }
        }
        for (index, word) in (query.words.len()..).zip(query.clause_words()) {
            let variants = word.variants.iter().map(|steps| (steps, word.prefix));
            let spellings = word.spellings.iter().map(|steps| (steps, false));
            let steps = variants.chain(spellings);
            sequences
                .extend(steps.map(|(steps, prefix)| (query_index.len(), steps.as_slice(), prefix)));
            query_index.push(index);
        }
        let mut terms: Vec<&str> = sequences
            .iter()
            .flat_map(|(_, steps, _)| steps.iter().map(|step| step.term.as_str()))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        let terms = terms
            .into_iter()
            .map(|term| SearchTerm {
                term,
                ends: Vec::new(),
                inner: false,
            })
            .collect();
        let mut highlighter = Highlighter {
            terms,
            sequences: Vec::new(),
            prefixes: Vec::new(),
            prefilter: PrefixFilter::new([]),
            max_distance: 0,
            query_index,
        };
        for (word, steps, prefix) in sequences {
            highlighter.add_sequence(word, steps, prefix);
        }
        let prefixes = highlighter.prefixes.iter().map(|(prefix, _)| *prefix);
        highlighter.prefilter = PrefixFilter::new(
            highlighter
                .terms
                .iter()
                .map(|search_term| search_term.term)
                .chain(prefixes),
        );
        highlighter.max_distance = highlighter
            .sequences
            .iter()
            .flat_map(|sequence| &sequence.before)
            .map(|(_, back)| *back)
            .max()
            .unwrap_or_default();
        highlighter
    }

    fn add_sequence(&mut self, word: usize, steps: &'q [QueryTerm], prefix: bool) {
        let Some((last, before)) = steps.split_last() else {
            return;
        };
        let mut inner = Vec::with_capacity(before.len());
        for step in before {
            if let Some(term) = self.term_index(&step.term) {
                self.terms[term].inner = true;
                inner.push((term, last.offset - step.offset));
            }
        }
        let sequence = self.sequences.len();
        self.sequences.push(TermSequence {
            word,
            before: inner,
        });
        if prefix {
            self.prefixes.push((&last.unstemmed, sequence));
        } else if let Some(term) = self.term_index(&last.term) {
            self.terms[term].ends.push(sequence);
        }
    }

    fn term_index(&self, term: &str) -> Option<usize> {
        self.terms
            .binary_search_by(|search_term| search_term.term.cmp(term))
            .ok()
    }

    /// Appends the spans of the words in this part of a text, which starts at `base`.
    pub(super) fn find_words(
        &self,
        part: &str,
        (text, base): (usize, usize),
        state: &mut ReadState,
        marks: &mut Vec<WordSpan>,
    ) {
        let mut tokens = Tokens::with_prefilter(part, &self.prefilter);
        tokens.count(state.exact_below.saturating_sub(state.position));
        while let Some(token) = tokens.advance() {
            let from = base + token.from;
            let to = base + token.to;
            let position = state.position + token.position;
            let term = self.term_index(&token.term);
            let by_term = term.map_or(&[][..], |term| self.terms[term].ends.as_slice());
            let by_prefix = self.prefixes.iter().filter(|(prefix, _)| {
                token.unstemmed.starts_with(prefix) || token.term.starts_with(prefix)
            });
            for sequence in by_term
                .iter()
                .chain(by_prefix.map(|(_, sequence)| sequence))
            {
                let sequence = &self.sequences[*sequence];
                marks.extend(sequence.start(state, position, from).map(|from| WordSpan {
                    text,
                    from,
                    to,
                    word: sequence.word,
                }));
            }
            if let Some(term) = term.filter(|term| self.terms[*term].inner) {
                state.seen.push((term, position, from));
                state.exact_below = position + self.max_distance + 1;
                tokens.count(state.exact_below - state.position);
            }
        }
        state.position += tokens.position();
    }

    /// Returns a title with marked words and the prefix `before`, and the words that it contains.
    pub fn title(&self, before: &str, title: &str) -> (Passage, CoveredWords) {
        let mut marks = Vec::new();
        self.find_words(
            title,
            (0, before.len()),
            &mut ReadState::default(),
            &mut marks,
        );
        sort(&mut marks);
        let text = format!("{before}{title}");
        let passage = Passage {
            field: TextField::Title,
            source: 0,
            text,
            marks: passage::merge_ranges(marks.iter().map(|mark| (mark.from, mark.to))),
        };
        (passage, self.covered_words(&marks))
    }

    /// Returns the words of the query that have a span, or whose alternative has one.
    pub(super) fn covered_words(&self, marks: &[WordSpan]) -> CoveredWords {
        let mut covered = vec![false; self.query_index.last().map_or(0, |last| last + 1)];
        marks
            .iter()
            .for_each(|mark| covered[self.query_index[mark.word]] = true);
        CoveredWords(covered)
    }
}

impl CoveredWords {
    /// Whether both together cover all words of the query.
    pub(super) fn covers_all_with(&self, other: &CoveredWords) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(word, is_covered)| *is_covered || other.0.get(word).copied().unwrap_or(false))
    }
}

/// Sorts spans by text and start, longer ones first, and removes duplicates.
pub(super) fn sort(marks: &mut Vec<WordSpan>) {
    marks.sort_unstable_by_key(|mark| (mark.text, mark.from, usize::MAX - mark.to, mark.word));
    marks.dedup();
}
