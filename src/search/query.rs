//! What was asked, as words and phrases. No input reaches a query syntax of tantivy's.

use super::analyzer::{FINE, MIDDLE, Piece, Pieces, WHOLE};
use super::mapping::Bounds;

/// A question in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What must be found: each a word or a quoted phrase.
    pub words: Vec<Word>,
}

/// A word or a quoted phrase. It is found where one of its readings is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The readings, finest first: `issue_query.rb` is `issue query rb`, or the whole. Never empty, and none of them is.
    pub readings: Vec<Vec<Step>>,
    /// Whether the last step only begins a word.
    pub prefix: bool,
    /// The parts of an unquoted word that has several: `time-sharing` is `time` and `sharing`. Among other words, when any
    /// will do, each part does. Empty for a simple word and for a quoted phrase.
    pub apart: Vec<Word>,
}

/// One term of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its distance from the first term of the reading, in positions.
    pub offset: usize,
    /// The term.
    pub term: String,
    /// The term before stemming.
    pub plain: String,
    /// The term under which the word is found as written.
    pub written: String,
}

/// A question that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadQuery {
    /// Too many characters.
    #[error("search text is too long (at most {limit} characters)")]
    TooLong {
        /// How many are allowed.
        limit: usize,
    },
    /// Too many words.
    #[error("search text has too many words (at most {limit})")]
    TooManyWords {
        /// How many are allowed.
        limit: usize,
    },
}

impl Query {
    /// Reads words separated by spaces and `"quoted phrases"`; a word ending in `*` is a prefix. Words of which the analyzer
    /// leaves nothing are ignored, and so are repetitions.
    pub fn parse(text: &str, bounds: &Bounds) -> Result<Query, BadQuery> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(BadQuery::TooLong { limit: bounds.query_characters });
        }
        let mut words: Vec<Word> = Vec::new();
        let mut quoted = false;
        for section in text.split(['"', '“', '”', '„']) {
            if quoted {
                words.extend(Word::quoted(section));
            } else {
                words.extend(section.split(is_space).filter_map(|word| match word.trim_end_matches('*') {
                    stripped if stripped.len() < word.len() => Word::read(stripped, true, bounds),
                    plain => Word::read(plain, false, bounds),
                }));
            }
            quoted = !quoted;
        }
        let mut distinct: Vec<Word> = Vec::with_capacity(words.len());
        for word in words {
            if !distinct.contains(&word) {
                distinct.push(word);
            }
        }
        if distinct.len() > bounds.query_words {
            return Err(BadQuery::TooManyWords { limit: bounds.query_words });
        }
        Ok(Query { words: distinct })
    }

    /// The same question while it is being typed: its last word only begins a word.
    #[must_use]
    pub fn typing(mut self, bounds: &Bounds) -> Query {
        if let Some(last) = self.words.last_mut()
            && last.readings.iter().flatten().all(|step| step.plain.chars().count() >= bounds.prefix_characters)
        {
            last.prefix = true;
            if let Some(last) = last.apart.last_mut() {
                last.prefix = true;
            }
        }
        self
    }

    /// Whether nothing was asked: then nothing is found.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl Word {
    fn quoted(text: &str) -> Option<Word> {
        Word::of(&Pieces::all(text))
    }

    fn read(text: &str, prefix: bool, bounds: &Bounds) -> Option<Word> {
        let pieces = Pieces::all(text);
        let mut word = Word::of(&pieces)?;
        let fine: Vec<Piece> = pieces.iter().filter(|piece| piece.readings & FINE != 0).cloned().collect();
        word.apart = fine.chunk_by(|before, piece| before.cjk && piece.cjk).filter_map(Word::of).collect();
        if prefix && text.chars().count() >= bounds.prefix_characters && pieces.last().is_some_and(|last| !last.cjk) {
            word.prefix = true;
            if let Some(last) = word.apart.last_mut() {
                last.prefix = true;
            }
        }
        if word.apart.len() < 2 {
            word.apart.clear();
        }
        Some(word)
    }

    fn of(pieces: &[Piece]) -> Option<Word> {
        let mut readings: Vec<Vec<Step>> = Vec::new();
        for level in [FINE, MIDDLE, WHOLE] {
            let reading = reading(pieces, level);
            if !reading.is_empty() && !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        (!readings.is_empty()).then_some(Word { readings, prefix: false, apart: Vec::new() })
    }

    /// The finest reading.
    pub fn finest(&self) -> &[Step] {
        self.readings.first().map_or(&[], Vec::as_slice)
    }
}

/// The terms of one reading. Wholes follow each other at distance 1; pairs of CJK characters keep their distances.
fn reading(pieces: &[Piece], level: u8) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut before: Option<&Piece> = None;
    for piece in pieces.iter().filter(|piece| piece.readings & level != 0) {
        let offset = match (before, steps.last()) {
            (Some(before), Some(step)) if before.cjk || level == FINE => step.offset + piece.position - before.position,
            (_, Some(step)) => step.offset + 1,
            _ => 0,
        };
        steps.push(Step { offset, term: piece.term.clone(), plain: piece.plain.clone(), written: piece.as_written() });
        before = Some(piece);
    }
    steps
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

#[cfg(test)]
mod tests;
