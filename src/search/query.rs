//! What was asked, as words, phrases and qualifiers. No input reaches a query syntax of tantivy's.

use super::analyzer::{FINE, MIDDLE, Piece, Pieces, WHOLE};
use super::language::{Item, Malformed, Qualifier, Said, items};
use super::mapping::Bounds;

/// A question in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What must be found: each a word or a quoted phrase.
    pub words: Vec<Word>,
    /// What must not be found.
    pub without: Vec<Word>,
    /// What it is narrowed by.
    pub qualifiers: Vec<Asked>,
    /// The same as it was said.
    pub said: Vec<Item>,
}

/// A qualifier of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which.
    pub qualifier: Qualifier,
    /// Its value.
    pub value: String,
    /// Whether the opposite is asked for.
    pub negated: bool,
    /// Where it begins, in characters from 1.
    pub at: usize,
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
    /// Words of which each will do in its place.
    pub or: Vec<Word>,
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadQuery {
    /// A qualifier cannot be understood.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Too many characters.
    #[error("q is too long (at most {limit} characters)")]
    TooLong {
        /// How many are allowed.
        limit: usize,
    },
    /// Too many words.
    #[error("q has too many words (at most {limit})")]
    TooManyWords {
        /// How many are allowed.
        limit: usize,
    },
}

impl Query {
    /// Reads words, `"quoted phrases"`, and what `language` adds to them. A word ending in `*` is a prefix. Words of which
    /// the analyzer leaves nothing are ignored, and so are repetitions.
    pub fn parse(text: &str, bounds: &Bounds) -> Result<Query, BadQuery> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(BadQuery::TooLong { limit: bounds.query_characters });
        }
        let mut query = Query { said: items(text)?, ..Query::default() };
        for item in query.said.clone() {
            query.take(item, bounds)?;
        }
        if query.every_word().count() + query.without.len() + query.qualifiers.len() > bounds.query_words {
            return Err(BadQuery::TooManyWords { limit: bounds.query_words });
        }
        Ok(query)
    }

    fn take(&mut self, item: Item, bounds: &Bounds) -> Result<(), Malformed> {
        let text = item.to_string();
        let word = match item.said {
            Said::Qualifier(qualifier, value) => {
                self.qualifiers.push(Asked { qualifier, value, negated: item.negated, at: item.at });
                None
            }
            Said::Phrase(phrase) => Word::quoted(&phrase),
            Said::Word(word) => match word.trim_end_matches('*') {
                stripped if stripped.len() < word.len() => Word::read(stripped, true, bounds),
                plain => Word::read(plain, false, bounds),
            },
        };
        let Some(word) = word else {
            let qualified = self.qualifiers.last().is_some_and(|asked| asked.at == item.at);
            return if item.or && qualified { Err(or_joins(item.at, text)) } else { Ok(()) };
        };
        let known = |words: &[Word]| words.contains(&word);
        match (item.or, item.negated) {
            (true, true) => return Err(or_joins(item.at, text)),
            (true, false) if self.words.last().is_some_and(|before| *before == word || known(&before.or)) => {}
            (true, false) => match self.words.last_mut() {
                Some(before) => before.or.push(word),
                None => self.words.push(word),
            },
            (false, true) if known(&self.without) => {}
            (false, true) => self.without.push(word),
            (false, false) if known(&self.words) => {}
            (false, false) => self.words.push(word),
        }
        Ok(())
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
        self.words.is_empty() && self.without.is_empty() && self.qualifiers.is_empty()
    }

    /// Whether words must stand in the title.
    pub fn is_in_title(&self) -> bool {
        self.qualifiers.iter().any(|asked| asked.qualifier == Qualifier::In && !asked.negated && asked.value == "title")
    }

    /// Whether what has the words in its title is not wanted.
    pub(super) fn is_outside_title(&self) -> bool {
        let asked = self.qualifiers.iter().any(|asked| asked.qualifier == Qualifier::In && asked.negated);
        asked && !self.words.is_empty()
    }

    /// Whether it asks for this word, and not only for its beginning.
    pub(super) fn asks(&self, word: &Word) -> bool {
        self.every_word().any(|asked| asked.is_said_as(word))
    }

    /// Puts other words in the place of one, each of which will do.
    pub(super) fn replace(&mut self, word: &Word, mut by: Vec<Word>) {
        for asked in &mut self.words {
            if let Some(place) = asked.or.iter().position(|or| or.is_said_as(word)) {
                asked.or.splice(place..=place, by);
                return;
            }
            if asked.is_said_as(word) && !by.is_empty() {
                let first = by.remove(0);
                let or = by.into_iter().chain(std::mem::take(&mut asked.or)).collect();
                *asked = Word { or, ..first };
                return;
            }
        }
    }

    /// Every word that may be found, those that stand in for others included.
    pub fn every_word(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().flat_map(|word| std::iter::once(word).chain(&word.or))
    }
}

impl Word {
    fn quoted(text: &str) -> Option<Word> {
        Word::of(&Pieces::all(text))
    }

    pub(super) fn is_said_as(&self, other: &Word) -> bool {
        self.readings == other.readings && self.prefix == other.prefix
    }

    pub(super) fn read(text: &str, prefix: bool, bounds: &Bounds) -> Option<Word> {
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

    pub(super) fn of(pieces: &[Piece]) -> Option<Word> {
        let mut readings: Vec<Vec<Step>> = Vec::new();
        for level in [FINE, MIDDLE, WHOLE] {
            let reading = reading(pieces, level);
            if !reading.is_empty() && !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        (!readings.is_empty()).then_some(Word { readings, prefix: false, apart: Vec::new(), or: Vec::new() })
    }

    /// The finest reading.
    pub fn finest(&self) -> &[Step] {
        self.readings.first().map_or(&[], Vec::as_slice)
    }
}

/// `OR` stands between words and phrases alone.
fn or_joins(at: usize, said: String) -> Malformed {
    Malformed { at, said, problem: "OR joins words and phrases that are not negated".to_owned() }
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

pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

#[cfg(test)]
mod tests;
