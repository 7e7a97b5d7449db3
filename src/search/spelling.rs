//! Words that nothing has: what was probably meant?
//!
//! A word of a question is wrong when no record that the viewer may see has it. Only then are words looked for that differ
//! from it in a letter or two: as they are written in the main text of records, each only if the viewer may see a record that has it.
//! Private notes and values of custom fields give no words away. The question is then answered with the words that were
//! found, each of which will do, and the best of them are suggested.
//! Invariant: what the viewer may not see neither decides that a word is right nor which words are suggested.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::analyzer::{AS_WRITTEN, FINE, Piece, Pieces};
use super::collector::count;
use super::language::{Item, Said};
use super::matching::{Clause, Sought};
use super::patience::Clock;
use super::plan::Plan;
use super::query::{Query, Word};
use super::snapshot::Snapshot;
use super::visibility::Filter;
use crate::domain::nearest::distance;

/// How many wrong words of a question are put right at most.
const WRONG_WORDS: usize = 5;
/// How many words stand in for a wrong one at most, where they are about as likely (see `index-schema/README.md`).
const STAND_INS: usize = 3;
/// Shorter words are not put right: nearly every other short word is a letter away.
const SHORTEST: usize = 4;
/// From this length on two letters may be wrong, the first not among them.
const TWO_LETTERS_FROM: usize = 8;
/// A word that is more than so many times less likely than the likeliest stands in for nothing: it is probably a slip itself.
const RARE: u64 = 10;
/// So many times likelier than others is a slip of two swapped letters: of a wrong letter there are so many kinds.
const SWAPPED: u64 = 25;
/// More records than this make a word no likelier.
const FREQUENT: u64 = 10_000;

/// What a question probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The question with words in place of those that nothing has: with this it was answered.
    pub query: Query,
    /// The question as it would be typed without the mistakes.
    pub text: String,
}

/// A question with the words of it that nothing has, and what was found in their place.
pub(super) struct Righted<'q> {
    asked: &'q Query,
    slips: Vec<Slip>,
}

/// A word that nothing has.
struct Slip {
    word: Word,
    /// The items of the question that say it.
    items: Vec<usize>,
    /// What stands in for it, the likeliest first; never empty.
    ways: Vec<(String, Word)>,
}

impl Righted<'_> {
    /// The question with all that stands in for the wrong words, each of which will do.
    pub fn query(&self) -> Query {
        let mut query = self.asked.clone();
        for slip in &self.slips {
            query.replace(&slip.word, slip.ways.iter().map(|(_, word)| word.clone()).collect());
        }
        query
    }

    /// Leaves of what stands in for each wrong word the likeliest with which the question still finds something.
    pub fn settle<E>(&mut self, finds: impl Fn(&Query) -> Result<bool, E>) -> Result<(), E> {
        for place in 0..self.slips.len() {
            let ways = std::mem::take(&mut self.slips[place].ways);
            let last = ways.len() - 1;
            for (nth, way) in ways.into_iter().enumerate() {
                self.slips[place].ways = vec![way];
                // One of them finds what all of them find.
                if nth == last || finds(&self.query())? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The question as it would be typed with the likeliest of what stands in.
    pub fn text(&self) -> String {
        let mut said = self.asked.said.clone();
        for slip in &self.slips {
            for item in &slip.items {
                said[*item].said = Said::Word(slip.ways[0].0.clone());
            }
        }
        said.iter().map(Item::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// Looks for what was meant among what a viewer may see.
pub(super) struct Spelling<'q> {
    /// How words are looked for; titles and texts alike.
    pub plan: Plan<'q>,
    /// All that the viewer may see.
    pub filter: Filter,
    /// The state of the index.
    pub snapshot: &'q Snapshot,
}

impl Spelling<'_> {
    /// The question with what was found in place of the words that nothing has; `None` when there is nothing to put right.
    pub fn righted<'q>(&self, asked: &'q Query) -> tantivy::Result<Option<Righted<'q>>> {
        let bounds = &self.plan.mapping.bounds;
        let mut slips: Vec<Slip> = Vec::new();
        for (place, item) in asked.said.iter().enumerate().filter(|(_, item)| !item.negated) {
            let Said::Word(text) = &item.said else { continue };
            let Some(word) = Word::read(text, false, bounds).filter(|word| !text.ends_with('*') && asked.asks(word)) else { continue };
            if let Some(same) = slips.iter_mut().find(|slip| slip.word.is_said_as(&word)) {
                same.items.push(place);
                continue;
            }
            if slips.len() == WRONG_WORDS || self.is_found(&word)? {
                continue;
            }
            let read = |text: String| Word::read(&text, false, bounds).map(|word| (text, word));
            let ways: Vec<(String, Word)> = self.right(text)?.into_iter().filter_map(read).collect();
            if !ways.is_empty() {
                slips.push(Slip { word, items: vec![place], ways });
            }
        }
        Ok((!slips.is_empty()).then_some(Righted { asked, slips }))
    }

    /// A word with the parts put right that nothing has, the best way first.
    fn right(&self, text: &str) -> tantivy::Result<Vec<String>> {
        let pieces = Pieces::all(text);
        let mut parts: Vec<(&Piece, Vec<String>)> = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.readings & FINE != 0 && is_plain(&piece.plain)) {
            if Word::of(std::slice::from_ref(piece)).is_some_and(|word| self.is_found(&word).unwrap_or(true)) {
                continue;
            }
            let near = self.near(&piece.plain)?;
            if !near.is_empty() {
                parts.push((piece, near));
            }
        }
        let ways = parts.iter().map(|(_, near)| near.len()).max().unwrap_or(0);
        let way = |place: usize| {
            let mut text = text.to_owned();
            for (piece, near) in parts.iter().rev() {
                let capital = text[piece.from..].chars().next().is_some_and(char::is_uppercase);
                let word = &near[place.min(near.len() - 1)];
                text.replace_range(piece.from..piece.to, &if capital { capitalised(word) } else { word.clone() });
            }
            text
        };
        Ok((0..ways).map(way).collect())
    }

    /// Words near this one that the viewer may see, the likeliest first: of those that differ in the fewest letters the most frequent,
    /// and rather those with two letters swapped.
    fn near(&self, word: &str) -> tantivy::Result<Vec<String>> {
        let reach = if word.chars().count() < TWO_LETTERS_FROM { 1 } else { 2 };
        for letters in 1..=reach {
            let mut written = self.written(word, letters)?;
            written.sort_unstable_by_key(|(at_most, ..)| Reverse(*at_most));
            let mut seen: Vec<(u64, String)> = Vec::new();
            for (at_most, field, candidate) in written {
                // Neither this one nor one after it can be among them any more.
                let best = seen.first().map_or(0, |(likely, _)| *likely);
                if at_most * RARE < best || seen.get(STAND_INS - 1).is_some_and(|(likely, _)| at_most < *likely) {
                    break;
                }
                let likely = self.count(field, &candidate)? * likelihood(word, &candidate);
                if likely > 0 && seen.iter().all(|(_, word)| *word != candidate) {
                    seen.push((likely, candidate));
                    seen.sort_unstable_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
                    seen.truncate(STAND_INS);
                }
            }
            if let Some((best, _)) = seen.first().cloned() {
                return Ok(seen.into_iter().filter(|(likely, _)| likely * RARE >= best).map(|(_, word)| word).collect());
            }
        }
        Ok(Vec::new())
    }

    /// The words of texts that differ from `word` in so many letters, each with the field and with how likely it is at most, whoever may
    /// see the records that have it.
    fn written(&self, word: &str, letters: usize) -> tantivy::Result<Vec<(u64, Field, String)>> {
        let mut all = Vec::new();
        for text in &self.plan.fields.text {
            let words = written(&self.snapshot.searcher, text.field, word, letters)?;
            let most = |near: &str, records: u64| records.min(FREQUENT) * likelihood(word, near);
            all.extend(words.into_iter().map(|(near, records)| (most(&near, records), text.field, near)));
        }
        Ok(all)
    }

    /// Whether the viewer may see a record that has the word.
    fn is_found(&self, word: &Word) -> tantivy::Result<bool> {
        let sought = Sought::of(&self.plan.one_word(word)?, false, self.plan.statistics)?;
        Ok(count(self.snapshot, &self.filter, &sought, &[], 1)? > 0)
    }

    /// How many records that the viewer may see have the word as it is written.
    ///
    /// A word that is its own stem shares its term with all words of that stem, so those records count that have none of the others.
    fn count(&self, field: Field, word: &str) -> tantivy::Result<u64> {
        let marked = self.having(field, &format!("{AS_WRITTEN}{word}"))?;
        let found = count(self.snapshot, &self.filter, &marked, &[], FREQUENT)?;
        if found > 0 {
            return Ok(found);
        }
        let others = inflected(&self.snapshot.searcher, field, word)?;
        let others = others.iter().map(|other| self.having(field, other)).collect::<tantivy::Result<Vec<_>>>()?;
        count(self.snapshot, &self.filter, &self.having(field, word)?, &others, FREQUENT)
    }

    fn having(&self, field: Field, term: &str) -> tantivy::Result<Sought> {
        Sought::of(&Clause::Term(Term::from_field_text(field, term)), false, self.plan.statistics)
    }
}

/// The words of a field that differ from `word` in so many letters, with how many documents have one of their terms at most.
fn written(searcher: &Searcher, field: Field, word: &str, letters: usize) -> tantivy::Result<HashMap<String, u64>> {
    let mut found = HashMap::new();
    let first: String = word.chars().take(1).collect();
    for mark in ["".to_owned(), AS_WRITTEN.to_string()] {
        let term = Term::from_field_text(field, &format!("{mark}{word}"));
        let reach = u8::try_from(letters).unwrap_or(2);
        for reader in searcher.segment_readers() {
            let index = reader.inverted_index(field)?;
            let mut range = index.terms().search(FuzzyTermQuery::new(term.clone(), reach, true).automaton()?);
            // Two wrong letters make so many words that the first letter must be right.
            if letters > 1 {
                range = range.ge(format!("{mark}{first}")).lt(format!("{mark}{first}\u{10FFFF}"));
            }
            let mut stream = range.into_stream()?;
            let mut clock = Clock::default();
            while stream.advance() {
                clock.step()?;
                let Ok(term) = std::str::from_utf8(stream.key()) else { continue };
                let candidate = term.strip_prefix(AS_WRITTEN).unwrap_or(term);
                if is_plain(candidate) && distance(word, candidate) == letters {
                    *found.entry(candidate.to_owned()).or_default() += u64::from(stream.value().doc_freq);
                }
            }
        }
    }
    Ok(found)
}

/// How likely a word was meant, beside another one that as many records have.
fn likelihood(said: &str, meant: &str) -> u64 {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    if letters(said) == letters(meant) { SWAPPED } else { 1 }
}

/// The terms of other words as written whose stem this is.
fn inflected(searcher: &Searcher, field: Field, stem: &str) -> tantivy::Result<Vec<String>> {
    let mut found = BTreeSet::new();
    // A stem begins as its words do, but for its last letter: "happi" is of "happy".
    let begin: String = stem.chars().take(stem.chars().count().saturating_sub(1)).collect();
    if !begin.is_ascii() {
        return Ok(Vec::new());
    }
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        let range = index.terms().range().ge(format!("{AS_WRITTEN}{begin}")).lt(format!("{AS_WRITTEN}{begin}\u{10FFFF}"));
        let mut stream = range.into_stream()?;
        let mut clock = Clock::default();
        while stream.advance() {
            clock.step()?;
            let Ok(term) = std::str::from_utf8(stream.key()) else { continue };
            let word = term.strip_prefix(AS_WRITTEN).unwrap_or(term);
            if Pieces::all(word).first().is_some_and(|piece| piece.term == stem) {
                found.insert(term.to_owned());
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Whether it is a word of letters alone that is long enough to be put right. Numbers, versions and names with digits are meant as
/// they are.
fn is_plain(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().nth(SHORTEST - 1).is_some()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
