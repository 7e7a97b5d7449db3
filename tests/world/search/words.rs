//! Reference implementation of matching: the rules of `docs/search.md` without the analyzer
//! under test. Texts consist of words between spaces, some with parts joined by `_` or `.`.

use frostem::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::collections::HashMap;

/// A word or a part of one: folded, and its stem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    pub plain: String,
    pub stem: String,
}

/// Names whose punctuation belongs to them. Their letters alone are words, too.
pub const NAMES: [&str; 3] = ["c++", "c#", ".net"];

/// One text: the words at each position. A word of several parts is at the position of its first
/// part.
#[derive(Clone, Debug, Default)]
pub struct Text(pub Vec<Vec<Atom>>);

/// A term of a query: a word, prefix or phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Word(String),
    Begin(String),
    Phrase(Vec<String>),
}

thread_local! {
    /// A cache of stems, because the same few words repeat.
    static KNOWN: RefCell<HashMap<String, Atom>> = RefCell::default();
}

impl Atom {
    fn of(word: &str) -> Atom {
        KNOWN.with_borrow_mut(|known| {
            known
                .entry(word.to_owned())
                .or_insert_with(|| Atom::read(word))
                .clone()
        })
    }

    fn read(word: &str) -> Atom {
        let plain = word.to_lowercase().replace('ü', "u").replace('ß', "ss");
        let english = plain.len() > 2 && plain.bytes().all(|byte| byte.is_ascii_lowercase());
        let stem = if english {
            Stemmer::new(Algorithm::English).stem(&plain).into()
        } else {
            plain.clone()
        };
        Atom { plain, stem }
    }

    fn starts_with(&self, begin: &str) -> bool {
        self.plain.starts_with(begin) || self.stem.starts_with(begin)
    }
}

/// Returns the parts of a word that `_` and `.` join.
pub fn word_parts(word: &str) -> Vec<&str> {
    if NAMES.contains(&word) {
        return vec![word];
    }
    word.split(['_', '.'])
        .filter(|part| !part.is_empty())
        .collect()
}

/// Returns a word without the separators between its parts, not stemmed.
fn joined(word: &str) -> String {
    Atom::of(&word_parts(word).concat()).plain
}

impl Text {
    /// Returns the words of a text.
    pub fn of(text: &str) -> Text {
        let mut places = Vec::new();
        for word in text.split_whitespace() {
            let parts = word_parts(word);
            let mut atoms: Vec<Vec<Atom>> = parts.iter().map(|part| vec![Atom::of(part)]).collect();
            if parts.len() > 1 {
                let plain = joined(word);
                let stem = plain.clone();
                atoms[0].push(Atom { plain, stem });
            }
            if NAMES.contains(&word) {
                atoms[0].push(Atom::of(word.trim_matches(['+', '#', '.'])));
            }
            places.extend(atoms);
        }
        Text(places)
    }

    /// Returns the words and parts of words at all positions.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.0.iter().flatten()
    }

    fn has_stem(&self, stem: &str) -> bool {
        self.atoms().any(|atom| atom.stem == stem)
    }

    /// Returns whether these words are adjacent.
    fn has_row(&self, words: &[&str]) -> bool {
        let stems: Vec<String> = words.iter().map(|word| Atom::of(word).stem).collect();
        self.0.windows(stems.len()).any(|row| {
            row.iter()
                .zip(&stems)
                .all(|(place, stem)| place.iter().any(|atom| atom.stem == *stem))
        })
    }
}

impl Term {
    /// Returns whether the term matches a text.
    pub fn stands_in(&self, text: &Text) -> bool {
        match self {
            Term::Word(word) => {
                let parts = word_parts(word);
                text.has_row(&parts) || parts.len() > 1 && text.has_stem(&joined(word))
            }
            Term::Phrase(words) => {
                text.has_row(&words.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Term::Begin(begin) => {
                let whole = joined(begin);
                let mut before = word_parts(begin);
                let last = before
                    .pop()
                    .map_or(String::new(), |last| Atom::of(last).plain);
                let rows = || {
                    (0..text.0.len().saturating_sub(before.len()))
                        .filter(|at| Text(text.0[*at..at + before.len()].to_vec()).has_row(&before))
                };
                text.atoms().any(|atom| atom.starts_with(&whole))
                    || before.is_empty() && text.atoms().any(|atom| atom.starts_with(&last))
                    || !before.is_empty()
                        && rows().any(|at| {
                            text.0[at + before.len()]
                                .iter()
                                .any(|atom| atom.starts_with(&last))
                        })
            }
        }
    }

    /// Returns the text of a word without parts that may be written as two words, or be half of
    /// such a word.
    pub fn simple(&self) -> Option<String> {
        let Term::Word(word) = self else { return None };
        let plain = Atom::of(word).plain;
        let fits = word_parts(word).len() == 1
            && (3..=30).contains(&plain.len())
            && plain.bytes().all(|byte| byte.is_ascii_lowercase());
        fits.then_some(plain)
    }

    /// Returns whether the word is in a text in another spelling: written as two words, or with
    /// separators or without them where the stem differs.
    pub fn stands_apart_in(&self, text: &Text) -> bool {
        if let Term::Word(word) = self {
            let plain = joined(word);
            let is_single = word_parts(word).len() == 1;
            let other = if is_single {
                plain
            } else {
                Atom::of(&plain).stem
            };
            if text.has_stem(&other) {
                return true;
            }
        }
        let Some(word) = self.simple() else {
            return false;
        };
        (3..word.len().saturating_sub(2))
            .any(|middle| text.has_row(&[&word[..middle], &word[middle..]]))
    }

    /// Returns the term as it is typed.
    pub fn typed(&self) -> String {
        match self {
            Term::Word(word) => word.clone(),
            Term::Begin(begin) => format!("{begin}*"),
            Term::Phrase(words) => format!("\"{}\"", words.join(" ")),
        }
    }

    /// Returns each part of a compound word.
    pub fn apart(&self) -> Vec<Term> {
        let (Term::Word(word) | Term::Begin(word)) = self else {
            return Vec::new();
        };
        let mut apart: Vec<Term> = word_parts(word)
            .into_iter()
            .map(|part| Term::Word(part.to_owned()))
            .collect();
        if let (Term::Begin(_), Some(Term::Word(last))) = (self, apart.last().cloned()) {
            apart.pop();
            apart.push(Term::Begin(last));
        }
        if apart.len() > 1 { apart } else { Vec::new() }
    }
}
