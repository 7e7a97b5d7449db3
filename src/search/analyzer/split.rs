//! Splits identifiers at dots, underscores and apostrophes, and at capitals.

/// A part of a word between separators, with the index range of its subparts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub from: usize,
    pub to: usize,
    pub first: usize,
    pub last: usize,
}

/// The parts of a word. It is reused for all words, to avoid allocations.
#[derive(Debug, Default)]
pub(super) struct WordParts {
    /// The parts between separators.
    pub parts: Vec<Part>,
    /// The parts, split at capitals too: start and end in bytes.
    pub subparts: Vec<(usize, usize)>,
}

impl WordParts {
    /// Splits `word`.
    pub fn split(&mut self, word: &str) {
        self.parts.clear();
        self.subparts.clear();
        let mut from = 0;
        let end = end_without_possessive(word);
        for (index, letter) in word[..end].char_indices() {
            if is_separator(letter)
                && !(matches!(letter, '\'' | '’')
                    && is_contraction(&word[index + letter.len_utf8()..end]))
            {
                self.push_part(word, from, index);
                from = index + letter.len_utf8();
            }
        }
        self.push_part(word, from, end);
    }

    fn push_part(&mut self, word: &str, from: usize, to: usize) {
        if from == to {
            return;
        }
        let first = self.subparts.len();
        let text = &word[from..to];
        let mut start = from;
        if text.bytes().any(|byte| !byte.is_ascii_lowercase()) {
            let mut letters = text.char_indices().peekable();
            let mut before: Option<char> = None;
            while let Some((index, letter)) = letters.next() {
                let after = letters.peek().map(|(_, next)| *next);
                if before.is_some_and(|before| starts_subpart(before, letter, after)) {
                    self.subparts.push((start, from + index));
                    start = from + index;
                }
                before = Some(letter);
            }
        }
        self.subparts.push((start, to));
        self.parts.push(Part {
            from,
            to,
            first,
            last: self.subparts.len(),
        });
    }
}

/// Whether a new subpart starts at `letter`: `actionBar`, `HTTPServer` (before the S).
fn starts_subpart(before: char, letter: char, after: Option<char>) -> bool {
    if !letter.is_uppercase() {
        return false;
    }
    before.is_lowercase() || (before.is_uppercase() && after.is_some_and(char::is_lowercase))
}

/// Whether the character separates parts of a word.
fn is_separator(letter: char) -> bool {
    matches!(
        letter,
        '_' | '.' | '\'' | '’' | ':' | ',' | ';' | '·' | '‿' | '＿' | '．' | '＇'
    )
}

/// Whether the text after an apostrophe is the rest of an English contraction: `don't`, `we'll`.
fn is_contraction(rest: &str) -> bool {
    ["t", "d", "m", "ll", "re", "ve"]
        .iter()
        .any(|ending| rest.eq_ignore_ascii_case(ending))
}

/// Returns the end of the word without an English `'s`.
fn end_without_possessive(word: &str) -> usize {
    let stripped = word
        .strip_suffix(['s', 'S'])
        .and_then(|rest| rest.strip_suffix(['\'', '’']));
    match stripped {
        Some(rest) if !rest.is_empty() => rest.len(),
        _ => word.len(),
    }
}
