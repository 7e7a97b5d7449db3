//! Reference implementation of spelling correction: reads every record.

use super::records::{Reader, Record};
use super::words::{Atom, Term, Text, parts};
use std::collections::{BTreeMap, BTreeSet};

/// Corrects one word.
pub struct Spelling<'a> {
    pub reader: &'a Reader<'a>,
    /// The visible records.
    pub visible: &'a [&'a Record],
    /// Whether file names are searched.
    pub files: bool,
}

impl Spelling<'_> {
    /// Returns the corrections, most likely first; none if the word is known or nothing is close.
    pub fn meant(&self, word: &str) -> Vec<String> {
        if self.has(word) {
            return Vec::new();
        }
        let wrong = |part: &&str| is_plain(part) && !self.has(part);
        let near: Vec<(&str, Vec<String>)> = parts(word).into_iter().filter(wrong).map(|part| (part, self.near(part))).collect();
        let near: Vec<_> = near.into_iter().filter(|(_, words)| !words.is_empty()).collect();
        let ways = near.iter().map(|(_, words)| words.len()).max().unwrap_or(0);
        let way = |place: usize| {
            let put = |text: String, (part, words): &(&str, Vec<String>)| text.replace(part, &words[place.min(words.len() - 1)]);
            near.iter().fold(word.to_owned(), put)
        };
        (0..ways).map(way).collect()
    }

    /// Returns whether a readable text of a visible record has the word.
    fn has(&self, word: &str) -> bool {
        let term = Term::Word(word.to_owned());
        let files = |record: &Record| self.files && self.reader.files(record).iter().any(|text| term.stands_in(text));
        self.visible.iter().any(|record| files(record) || self.reader.all(record).iter().any(|text| term.stands_in(text)))
    }

    /// Returns the three most frequent of the closest words. Anagrams count 25 times; words that are
    /// more than ten times less likely than the first are dropped.
    fn near(&self, word: &str) -> Vec<String> {
        let reach = if word.chars().count() < 8 { 1 } else { 2 };
        for letters in 1..=reach {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for record in self.visible {
                let texts = self.reader.open(record);
                let atoms: Vec<&Atom> = texts.iter().flat_map(|text: &&Text| text.atoms()).collect();
                let plains: BTreeSet<&Atom> = atoms.iter().copied().filter(|atom| is_plain(&atom.plain)).collect();
                for atom in plains {
                    let near = distance(word, &atom.plain) == letters && (letters == 1 || atom.plain.chars().next() == word.chars().next());
                    // A word equal to its stem counts where it occurs without other words of that stem.
                    let shared = atom.plain == atom.stem && atoms.iter().any(|other| other.stem == atom.stem && other.plain != other.stem);
                    if near && !shared {
                        *counts.entry(atom.plain.clone()).or_default() += 1;
                    }
                }
            }
            if !counts.is_empty() {
                let swapped = |near: &str| word.chars().all(|letter| near.matches(letter).count() == word.matches(letter).count());
                let likely = |(near, count): (String, usize)| {
                    let many = if near.len() == word.len() && swapped(&near) { 25 * count } else { count };
                    (near, many)
                };
                let mut ranked: Vec<(String, usize)> = counts.into_iter().map(likely).collect();
                ranked.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
                let best = ranked[0].1;
                return ranked.into_iter().take(3).filter(|(_, count)| count * 10 >= best).map(|(word, _)| word).collect();
            }
        }
        Vec::new()
    }
}

fn is_plain(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().count() >= 4
}

/// Edit distance with insertions, deletions, substitutions and transpositions.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                    let least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                    if swapped { least.min(table[i - 2][j - 2] + 1) } else { least }
                }
            };
        }
    }
    table[one.len()][other.len()]
}
