//! Splits identifiers at dots, underscores and apostrophes, between letters and digits, and at
//! capitals.

/// Maximum number of borders between letters and digits in a part. Parts with more are hashes,
/// encoded data or random names: their pieces say nothing, and would fill the index.
const MAX_DIGIT_BORDERS: usize = 2;

/// A part of a word between separators, with the index range of its segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub from: usize,
    pub to: usize,
    pub first: usize,
    pub last: usize,
}

/// The letters or the digits of a part, with the index range of their subparts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub from: usize,
    pub to: usize,
    pub first: usize,
    pub last: usize,
}

/// A segment, or what is between two capitals of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subpart {
    pub from: usize,
    pub to: usize,
    /// Where the rest starts after a single letter: `OS` of `iOS`, `Auth` of `OAuth`.
    pub rest: Option<usize>,
}

/// The parts of a word. It is reused for all words, to avoid allocations.
#[derive(Debug, Default)]
pub(super) struct WordParts {
    /// The parts between separators.
    pub parts: Vec<Part>,
    /// The parts, split between letters and digits.
    pub segments: Vec<Segment>,
    /// The segments, split at capitals.
    pub subparts: Vec<Subpart>,
}

impl WordParts {
    /// Splits `word`.
    pub fn split(&mut self, word: &str) {
        self.parts.clear();
        self.segments.clear();
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
        let first = self.segments.len();
        let mut start = from;
        for border in digit_borders(&word[from..to]) {
            self.push_segment(word, start, from + border);
            start = from + border;
        }
        self.push_segment(word, start, to);
        self.parts.push(Part {
            from,
            to,
            first,
            last: self.segments.len(),
        });
    }

    fn push_segment(&mut self, word: &str, from: usize, to: usize) {
        let first = self.subparts.len();
        let text = &word[from..to];
        let mut start = from;
        let mut rest = None;
        if text.bytes().any(|byte| !byte.is_ascii_lowercase()) {
            let mut letters = text.char_indices().peekable();
            let mut before: Option<char> = None;
            while let Some((index, letter)) = letters.next() {
                let after = letters.peek().map(|(_, next)| *next);
                if let Some(before) = before
                    && starts_subpart(before, letter, after)
                {
                    if index == before.len_utf8() {
                        rest = Some(from + index);
                    } else {
                        let to = from + index;
                        self.push_subpart(start, to, rest.take());
                        start = to;
                    }
                }
                before = Some(letter);
            }
        }
        self.push_subpart(start, to, rest);
        self.segments.push(Segment {
            from,
            to,
            first,
            last: self.subparts.len(),
        });
    }

    fn push_subpart(&mut self, from: usize, to: usize, rest: Option<usize>) {
        self.subparts.push(Subpart { from, to, rest });
    }

    /// Returns the segments of a part.
    pub fn segments_of(&self, part: &Part) -> &[Segment] {
        &self.segments[part.first..part.last]
    }

    /// Returns the subparts of consecutive segments.
    pub fn subparts_of(&self, segments: &[Segment]) -> &[Subpart] {
        match (segments.first(), segments.last()) {
            (Some(first), Some(last)) => &self.subparts[first.first..last.last],
            _ => &[],
        }
    }
}

/// Returns the offsets in a part at which digits follow letters or letters digits; none if there
/// are too many, and in a hexadecimal number with its prefix.
fn digit_borders(part: &str) -> impl Iterator<Item = usize> {
    let mut borders = [0; MAX_DIGIT_BORDERS];
    let mut count = 0;
    let mut before: Option<bool> = None;
    let letters = part
        .char_indices()
        .filter(|(_, letter)| letter.is_alphanumeric());
    for (index, letter) in letters {
        let is_digit = letter.is_numeric();
        if before.is_some_and(|before| before != is_digit) {
            if count == MAX_DIGIT_BORDERS {
                count = 0;
                break;
            }
            borders[count] = index;
            count += 1;
        }
        before = Some(is_digit);
    }
    if count > 0 && is_hexadecimal(part) {
        count = 0;
    }
    borders.into_iter().take(count)
}

/// Whether the part is a hexadecimal number with its prefix: `0x1f`.
fn is_hexadecimal(part: &str) -> bool {
    let digits = part.strip_prefix("0x").or(part.strip_prefix("0X"));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Whether a new subpart starts at `letter`: `actionBar`, `HTTPServer` (before the S).
fn starts_subpart(before: char, letter: char, after: Option<char>) -> bool {
    if !letter.is_uppercase() {
        return false;
    }
    before.is_lowercase() || (before.is_uppercase() && after.is_some_and(char::is_lowercase))
}

/// Whether the character separates parts of a word.
pub(super) fn is_separator(letter: char) -> bool {
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
