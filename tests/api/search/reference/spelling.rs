//! Reference implementation of spelling correction: reads every record.

use super::records::{Reader, Record};
use quarry_world::search::words::{Atom, Term, Text, word_parts};
use std::collections::{BTreeMap, BTreeSet};

/// Corrects one word.
pub struct Spelling<'a> {
    pub reader: &'a Reader<'a>,
    /// The visible records.
    pub visible: &'a [&'a Record],
    /// Whether file names are searched.
    pub files: bool,
}

/// Which words are taken for slips.
#[derive(Clone, Copy, PartialEq)]
pub enum Slip {
    /// Words that no visible record has.
    Unknown,
    /// Words that visible records have, while another one is far likelier.
    Rare,
}

impl Slip {
    fn may_be(self, count: usize) -> bool {
        (self == Slip::Unknown) == (count == 0)
    }
}

impl Spelling<'_> {
    /// Returns the corrections, most likely first, each with how likely its edits are; none if the
    /// word is not misspelled or nothing is close. `joined` are the compounds that it makes with
    /// its neighbours.
    pub fn meant(&self, word: &str, joined: &[String], slip: Slip) -> Vec<(String, usize)> {
        if !slip.may_be(self.count(&[Term::Word(word.to_owned())], joined)) {
            return Vec::new();
        }
        let near: Vec<(&str, Vec<String>)> = word_parts(word)
            .into_iter()
            .map(|part| {
                let count = self.count_exactly(part);
                let is_misspelled = is_plain(part) && slip.may_be(count);
                let words = is_misspelled.then(|| self.near(part, count));
                (part, words.unwrap_or_default())
            })
            .filter(|(_, words)| !words.is_empty())
            .collect();
        let ways = near.iter().map(|(_, words)| words.len()).max().unwrap_or(0);
        (0..ways)
            .map(|place| replace_parts(word, &near, place))
            .collect()
    }

    /// Counts the visible records that have one of the terms, or one of the compounds, in a
    /// readable text.
    pub fn count(&self, group: &[Term], joined: &[String]) -> usize {
        self.count_where(|text| {
            group
                .iter()
                .any(|term| term.stands_in(text) || term.stands_apart_in(text))
                || joined
                    .iter()
                    .any(|word| Term::Word(word.clone()).stands_in(text))
        })
    }

    fn count_exactly(&self, word: &str) -> usize {
        let term = Term::Word(word.to_owned());
        self.count_where(|text| term.stands_in(text))
    }

    fn count_where(&self, fits: impl Fn(&Text) -> bool) -> usize {
        let files = |record: &Record| self.files && self.reader.files(record).iter().any(&fits);
        self.visible
            .iter()
            .filter(|record| files(record) || self.reader.all(record).iter().any(|text| fits(text)))
            .count()
    }

    /// Returns the three most frequent of the closest words. Anagrams count 25 times; words that
    /// are more than ten times less likely than the first are dropped, and so are those that are
    /// not 500 times likelier than a word that `known` records have.
    fn near(&self, word: &str, known: usize) -> Vec<String> {
        let reach = if known > 0 || word.chars().count() < 8 {
            1
        } else {
            2
        };
        let stem = Text::of(word).atoms().next().map(|atom| atom.stem.clone());
        for letters in 1..=reach {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for record in self.visible {
                let texts = self.reader.open(record);
                let atoms: Vec<&Atom> =
                    texts.iter().flat_map(|text: &&Text| text.atoms()).collect();
                let plains: BTreeSet<&Atom> = atoms
                    .iter()
                    .copied()
                    .filter(|atom| is_plain(&atom.plain))
                    .collect();
                for atom in plains {
                    let near = distance(word, &atom.plain) == letters
                        && (letters == 1 || atom.plain.chars().next() == word.chars().next());
                    // A word equal to its stem counts where it occurs without other words of that
                    // stem.
                    let shared = atom.plain == atom.stem
                        && atoms
                            .iter()
                            .any(|other| other.stem == atom.stem && other.plain != other.stem);
                    if near && !shared && (known == 0 || Some(&atom.stem) != stem.as_ref()) {
                        *counts.entry(atom.plain.clone()).or_default() += 1;
                    }
                }
            }
            if !counts.is_empty() {
                let mut ranked: Vec<(String, usize)> = counts
                    .into_iter()
                    .map(|(near, count)| {
                        let likely = count * likelihood(word, &near);
                        (near, likely)
                    })
                    .collect();
                ranked.retain(|(_, likely)| *likely >= 500 * known);
                ranked.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
                let best = ranked.first().map_or(0, |(_, likely)| *likely);
                return ranked
                    .into_iter()
                    .take(3)
                    .filter(|(_, count)| count * 10 >= best)
                    .map(|(word, _)| word)
                    .collect();
            }
        }
        Vec::new()
    }
}

fn is_anagram(word: &str, other: &str) -> bool {
    other.len() == word.len()
        && word
            .chars()
            .all(|letter| other.matches(letter).count() == word.matches(letter).count())
}

fn is_plain(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().count() >= 4
}

/// Edit distance with insertions, deletions, substitutions and transpositions.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                    let least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let swapped =
                        i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                    if swapped {
                        least.min(table[i - 2][j - 2] + 1)
                    } else {
                        least
                    }
                }
            };
        }
    }
    table[one.len()][other.len()]
}

/// Returns how many times likelier an edit is than the least likely one.
fn likelihood(word: &str, near: &str) -> usize {
    if is_anagram(word, near) { 25 } else { 1 }
}

/// Returns the word with each part replaced by its correction at `place`, or its last one, and how
/// likely the edits are.
fn replace_parts(word: &str, near: &[(&str, Vec<String>)], place: usize) -> (String, usize) {
    near.iter()
        .fold((word.to_owned(), 1), |(text, likely), (part, words)| {
            let word = &words[place.min(words.len() - 1)];
            (text.replace(part, word), likely * likelihood(part, word))
        })
}
