//! Forms of a query that are made from its text, where a set has none: `short`, `typo` and `prefix`.

use regex::Regex;
use std::sync::LazyLock;

/// Maximum number of words of a short query.
const MAX_WORDS: usize = 4;
/// Minimum number of letters of a word that is misspelled.
const MIN_MISSPELLED: usize = 5;
/// Minimum number of letters that are left of the last word of a prefix.
const MIN_PREFIX: usize = 3;
/// Words that say nothing of what is searched.
const STOP_WORDS: [&str; 63] = [
    "a", "after", "all", "an", "and", "any", "are", "as", "at", "be", "before", "but", "by", "can",
    "cannot", "could", "do", "does", "doesn't", "don't", "for", "from", "has", "have", "how", "i",
    "if", "in", "into", "is", "it", "its", "my", "no", "not", "of", "on", "or", "per", "should",
    "some", "such", "than", "that", "the", "their", "then", "there", "this", "to", "via", "was",
    "we", "what", "when", "where", "which", "while", "why", "will", "with", "would", "you",
];

/// A word, with what may join its parts.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\w[\w.'+#-]*").ok());
/// A run of letters.
static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("[A-Za-z]+").ok());

/// The forms that are made from the text of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeForms {
    /// The first four words that are no stop words.
    pub short: String,
    /// The same with two neighbouring letters swapped, in the middle of the longest word (of several,
    /// the first in the alphabet); as it is if no word has five letters.
    pub typo: String,
    /// The same with three fifths of the letters of the last word, but at least three.
    pub prefix: String,
}

impl MadeForms {
    /// Makes the forms; `None` if the text has stop words alone.
    pub fn of(text: &str) -> Option<MadeForms> {
        let words = WORD.as_ref()?.find_iter(text);
        let words = words.map(|word| word.as_str().trim_end_matches(['.', '\'', '-']));
        let words = words.filter(|word| !STOP_WORDS.contains(&word.to_lowercase().as_str()));
        let words: Vec<&str> = words.take(MAX_WORDS).collect();
        let (last, first) = words.split_last()?;
        let short = words.join(" ");
        Some(MadeForms {
            typo: misspelled(&short).unwrap_or_else(|| short.clone()),
            prefix: [first, &[cut(last).as_str()]].concat().join(" "),
            short,
        })
    }

    /// Returns a form by its name; `None` for the names of others.
    pub fn get(&self, form: &str) -> Option<&str> {
        match form {
            "short" => Some(&self.short),
            "typo" => Some(&self.typo),
            "prefix" => Some(&self.prefix),
            _ => None,
        }
    }
}

/// Swaps two letters of the longest word; `None` if no word is long enough.
fn misspelled(short: &str) -> Option<String> {
    let runs = LETTERS.as_ref()?.find_iter(short);
    let run = runs
        .filter(|run| run.len() >= MIN_MISSPELLED)
        .min_by(|one, other| {
            let by_length = other.len().cmp(&one.len());
            by_length.then_with(|| one.as_str().cmp(other.as_str()))
        })?;
    let mut letters: Vec<char> = run.as_str().chars().collect();
    let middle = letters.len() / 2 - 1;
    // Equal letters cannot be mistaken for each other.
    let at = (middle..letters.len() - 1)
        .find(|at| !letters[*at].eq_ignore_ascii_case(&letters[at + 1]))?;
    letters.swap(at, at + 1);
    let word: String = letters.into_iter().collect();
    Some(format!(
        "{}{word}{}",
        &short[..run.start()],
        &short[run.end()..]
    ))
}

/// Returns the beginning of a word.
fn cut(word: &str) -> String {
    let count = word.chars().count();
    word.chars()
        .take((count * 3).div_ceil(5).max(MIN_PREFIX))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_made_from_the_text() {
        let forms = |text: &str| {
            let MadeForms {
                short,
                typo,
                prefix,
            } = MadeForms::of(text).unwrap();
            [short, typo, prefix]
        };
        assert_eq!(
            forms("What are the structural and aeroelastic problems associated with flight?"),
            [
                "structural aeroelastic problems associated",
                "structural aeroleastic problems associated",
                "structural aeroelastic problems associ",
            ]
        );
        // Of words of the same length the first in the alphabet, and no equal letters.
        assert_eq!(forms("find pressure surfaces")[1], "find presusre surfaces");
        assert_eq!(forms("add a test"), ["add test", "add test", "add tes"]);
        assert_eq!(forms("C++ builds fail.")[0], "C++ builds fail");
        assert_eq!(MadeForms::of("what is it?"), None);
        assert_eq!(MadeForms::of("?!"), None);
    }
}
