//! Splits identifiers at dots, underscores and apostrophes, and at capitals.

/// A part between dots and underscores, with the index range of its finer parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Middle {
    pub from: usize,
    pub to: usize,
    pub first: usize,
    pub last: usize,
}

/// The parts of one word. It is reused for all words, to avoid allocations.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Parts between dots, underscores and apostrophes.
    pub middle: Vec<Middle>,
    /// These parts, split at capitals too: start and end in bytes.
    pub fine: Vec<(usize, usize)>,
}

impl Parts {
    /// Splits `word`.
    pub fn split(&mut self, word: &str) {
        self.middle.clear();
        self.fine.clear();
        let mut from = 0;
        let end = without_possessive(word);
        for (at, letter) in word[..end].char_indices() {
            if is_joint(letter) && !(matches!(letter, '\'' | '’') && contracts(&word[at + letter.len_utf8()..end])) {
                self.part(word, from, at);
                from = at + letter.len_utf8();
            }
        }
        self.part(word, from, end);
    }

    fn part(&mut self, word: &str, from: usize, to: usize) {
        if from == to {
            return;
        }
        let first = self.fine.len();
        let text = &word[from..to];
        let mut start = from;
        if text.bytes().any(|byte| !byte.is_ascii_lowercase()) {
            let mut letters = text.char_indices().peekable();
            let mut before: Option<char> = None;
            while let Some((at, letter)) = letters.next() {
                let after = letters.peek().map(|(_, next)| *next);
                if before.is_some_and(|before| breaks(before, letter, after)) {
                    self.fine.push((start, from + at));
                    start = from + at;
                }
                before = Some(letter);
            }
        }
        self.fine.push((start, to));
        self.middle.push(Middle { from, to, first, last: self.fine.len() });
    }
}

/// Whether a new part begins at `letter`: `actionBar`, `HTTPServer` (before the S).
fn breaks(before: char, letter: char, after: Option<char>) -> bool {
    if !letter.is_uppercase() {
        return false;
    }
    before.is_lowercase() || (before.is_uppercase() && after.is_some_and(char::is_lowercase))
}

/// Whether the character separates parts of a word.
fn is_joint(letter: char) -> bool {
    matches!(letter, '_' | '.' | '\'' | '’' | ':' | ',' | ';' | '·' | '‿' | '＿' | '．' | '＇')
}

/// Whether the text after an apostrophe is the rest of an English contraction: `don't`, `we'll`.
fn contracts(rest: &str) -> bool {
    ["t", "d", "m", "ll", "re", "ve"].iter().any(|ending| rest.eq_ignore_ascii_case(ending))
}

/// Returns the end of the word without an English `'s`.
fn without_possessive(word: &str) -> usize {
    let stripped = word.strip_suffix(['s', 'S']).and_then(|rest| rest.strip_suffix(['\'', '’']));
    match stripped {
        Some(rest) if !rest.is_empty() => rest.len(),
        _ => word.len(),
    }
}
