//! A filter by the first letters of terms, which skips most words of a text cheaply.

/// The first letters of a set of folded terms. It may pass other words, but never rejects a term of
/// the set.
#[derive(Clone, Debug)]
pub struct PrefixFilter {
    /// For each first byte of a term, in either case, the possible second bytes: a bit for each
    /// [`CLASS`]. Two bytes suffice to reject nearly every offset of a text. Non-ASCII bytes may be
    /// folded to anything.
    pairs: [u32; 256],
    others: Vec<char>,
    /// The prefixes of terms with an ASCII first letter, sorted.
    prefixes: Vec<TermPrefix>,
}

/// The first bytes of a term; `None` matches any byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TermPrefix {
    first: u8,
    second: Option<u8>,
    third: Option<u8>,
}

/// The class of a second byte: one for each letter; digits share a few, which only passes more
/// words. Other bytes have class 0, which always matches, because folding may remove them.
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = (byte as u8).to_ascii_lowercase();
        if letter.is_ascii_lowercase() {
            table[byte] = letter - b'a' + 1;
        } else if letter.is_ascii_digit() {
            table[byte] = 27 + letter % 5;
        }
        byte += 1;
    }
    table
};

/// Whether all words of this stem share its third letter. Stemming changes the last letters of a
/// word, which may be the third of short ones: `fly`, `using` and `skies` become `fli`, `use` and
/// `sky`.
fn keeps_third(stem: &[u8]) -> bool {
    match stem {
        [_, _, third] => !matches!(third, b'e' | b'i' | b'y'),
        _ => stem.len() > 3,
    }
}

impl PrefixFilter {
    /// Creates the filter for these terms.
    pub fn new<'t>(terms: impl IntoIterator<Item = &'t str>) -> PrefixFilter {
        let mut prefilter = PrefixFilter {
            pairs: [0; 256],
            others: Vec::new(),
            prefixes: Vec::new(),
        };
        prefilter.pairs[128..].fill(u32::MAX);
        for term in terms {
            // The word of `.net` begins after the dot.
            let term = term.strip_prefix('.').unwrap_or(term);
            match term.chars().next() {
                Some(letter) if letter.is_ascii() => prefilter.push_term(term.as_bytes()),
                Some(letter) if !prefilter.others.contains(&letter) => {
                    prefilter.others.push(letter)
                }
                _ => {}
            }
        }
        prefilter.prefixes.sort_unstable();
        prefilter.prefixes.dedup();
        prefilter
    }

    fn push_term(&mut self, term: &[u8]) {
        let first = term[0];
        let second = fixed_byte(term, 1);
        let third = second
            .and(fixed_byte(term, 2))
            .filter(|_| keeps_third(term));
        // The stem of `dying` is `die`.
        for second in [second, Some(b'y')]
            .into_iter()
            .take(if second == Some(b'i') { 2 } else { 1 })
        {
            self.prefixes.push(TermPrefix {
                first,
                second,
                third,
            });
            let classes = second.map_or(u32::MAX, |second| 1 | 1 << CLASS[usize::from(second)]);
            for first in [first, first.to_ascii_uppercase()] {
                self.pairs[usize::from(first)] |= classes;
            }
        }
    }

    /// Whether a part with these bytes, the first of which is an ASCII letter or digit, may be one
    /// of the terms.
    pub(super) fn may_match_part(&self, part: &[u8]) -> bool {
        let Some(first) = part.first().map(u8::to_ascii_lowercase) else {
            return false;
        };
        let second = folded_byte(part, 1);
        let third = second.and_then(|_| folded_byte(part, 2));
        let prefixes = &self.prefixes[self.prefixes.partition_point(|begin| begin.first < first)..];
        let mut prefixes = prefixes.iter().take_while(|begin| begin.first == first);
        prefixes.any(|begin| may_equal(begin.second, second) && may_equal(begin.third, third))
    }

    /// Whether a part of an ASCII word may be one of the terms.
    pub(super) fn may_match_any_part(&self, word: &[u8]) -> bool {
        let mut starts = (0..word.len()).filter(|at| *at == 0 || starts_part(word, *at));
        starts.any(|at| self.may_match_part(&word[at..]))
    }

    pub(super) fn may_match(&self, letter: char) -> bool {
        if letter.is_ascii() {
            self.pairs[letter as usize] != 0
        } else {
            self.others.contains(&letter)
        }
    }

    /// Returns the next offset from `from` on where a matching part may start or a byte is not
    /// ASCII; the end of the text when there is none.
    pub(super) fn next_candidate(&self, text: &[u8], from: usize) -> usize {
        let mut at = from;
        while at < text.len() {
            let mut pairs = text[at..].array_windows();
            let before = pairs.position(|[first, second]| {
                (self.pairs[usize::from(*first)] >> CLASS[usize::from(*second)]) & 1 != 0
            });
            // The last byte has no pair.
            at = before.map_or(text.len() - 1, |before| at + before);
            let is_candidate = || starts_part(text, at) && self.may_match_part(&text[at..]);
            if !text[at].is_ascii() || is_candidate() {
                return at;
            }
            at += 1;
        }
        text.len()
    }
}

/// Whether a part of a word may start at this offset: after other characters, at capitals, and
/// between letters and digits.
#[inline]
fn starts_part(text: &[u8], at: usize) -> bool {
    let byte = text[at];
    let before = at.checked_sub(1).map(|before| text[before]);
    byte.is_ascii_alphanumeric()
        && (byte.is_ascii_uppercase()
            || before.is_none_or(|before| {
                !before.is_ascii_alphanumeric() || before.is_ascii_digit() != byte.is_ascii_digit()
            }))
}

/// Returns a byte of a term if folding and stemming keep it.
#[inline]
fn fixed_byte(term: &[u8], at: usize) -> Option<u8> {
    term.get(at)
        .copied()
        .filter(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Returns a byte of a text in lower case; `None` for other characters, which folding may remove,
/// so that another letter follows.
#[inline]
fn folded_byte(text: &[u8], at: usize) -> Option<u8> {
    text.get(at)
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
}

/// Whether two bytes may be the same, of which either may be unknown.
#[inline]
fn may_equal(one: Option<u8>, other: Option<u8>) -> bool {
    one.is_none() || other.is_none() || one == other
}
