//! Finds word boundaries: a fast path for ASCII, UAX #29 for other text, and runs of CJK
//! characters.

use unicode_segmentation::UnicodeSegmentation;

use super::prefilter::PrefixFilter;

/// Separates the texts of one field, so that phrases do not match across them.
pub const SEPARATOR: char = '\u{1E}';

/// How words are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// By spaces and punctuation.
    Spaced,
    /// Not at all: Chinese, Japanese, Korean.
    Cjk,
}

/// A word, or a run of CJK characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScannedWord {
    /// Start offset in bytes.
    pub from: usize,
    /// End offset in bytes.
    pub to: usize,
    /// How its words are delimited.
    pub script: Script,
    /// Number of separators before it.
    pub gaps: usize,
    /// Whether it consists of ASCII letters without a capital after the first, or of ASCII digits,
    /// and so of a single part.
    pub is_single_part: bool,
}

/// Iterates over the words of a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    pending: Vec<ScannedWord>,
    /// Number of separators after the last word.
    gaps: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of the text.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            text,
            at: 0,
            pending: Vec::new(),
            gaps: 0,
        }
    }

    /// Skips to the next word with a part that may pass the filter.
    pub fn skip_to_candidate(&mut self, prefilter: &PrefixFilter) {
        if !self.pending.is_empty() {
            return;
        }
        let bytes = self.text.as_bytes();
        let mut word = prefilter.next_candidate(bytes, self.at);
        // Back to the start of the word, but not into a word that was scanned already.
        while word < bytes.len() && word > self.at && continues_word(bytes, word - 1) {
            word -= 1;
        }
        self.at = word;
    }

    /// Returns the number of separators after the last word.
    pub fn gaps(&self) -> usize {
        self.gaps
    }

    /// Returns the next word.
    pub fn advance(&mut self) -> Option<ScannedWord> {
        let bytes = self.text.as_bytes();
        loop {
            if let Some(found) = self.pending.pop() {
                return Some(ScannedWord {
                    gaps: std::mem::take(&mut self.gaps),
                    ..found
                });
            }
            while self.at < bytes.len() && !starts_word(bytes[self.at]) {
                self.gaps += usize::from(bytes[self.at] == SEPARATOR as u8);
                self.at += 1;
            }
            if self.at == bytes.len() {
                return None;
            }
            let from = self.at;
            let mut to = from;
            // A capital that begins the word starts no other part.
            let mut classes = WORD[usize::from(bytes[from])] & !PART_START;
            loop {
                while let Some(byte) = bytes.get(to)
                    && is_word(*byte)
                {
                    if to > from {
                        classes |= WORD[usize::from(*byte)];
                    }
                    to += 1;
                }
                if to == bytes.len() || !joins_neighbors(bytes, to) {
                    break;
                }
                classes |= PART_START;
                to += 1;
            }
            if to == bytes.len() || bytes[to].is_ascii() {
                self.at = to;
                let gaps = std::mem::take(&mut self.gaps);
                return Some(ScannedWord {
                    from,
                    to,
                    script: Script::Spaced,
                    gaps,
                    is_single_part: matches!(classes, LETTER | DIGIT),
                });
            }
            while to < bytes.len()
                && (is_word(bytes[to]) || joins_neighbors(bytes, to) || !bytes[to].is_ascii())
            {
                to += 1;
            }
            self.at = to;
            self.segment(from, to);
        }
    }

    /// Pushes the words of a chunk that is not ASCII to `pending`, last first.
    fn segment(&mut self, from: usize, to: usize) {
        let chunk = &self.text[from..to];
        let mut start = 0;
        while start < chunk.len() {
            let rest = &chunk[start..];
            let cjk = rest.chars().next().is_some_and(is_cjk);
            let length = rest
                .char_indices()
                .find(|(_, letter)| is_cjk(*letter) != cjk)
                .map_or(rest.len(), |(at, _)| at);
            let at = from + start;
            if cjk {
                self.pending.push(ScannedWord {
                    from: at,
                    to: at + length,
                    script: Script::Cjk,
                    gaps: 0,
                    is_single_part: false,
                });
            } else {
                let words = rest[..length].split_word_bound_indices();
                let words = words.filter(|(_, word)| has_word_or_emoji(word));
                self.pending.extend(words.map(|(n, word)| ScannedWord {
                    from: at + n,
                    to: at + n + word.len(),
                    script: Script::Spaced,
                    gaps: 0,
                    is_single_part: false,
                }));
            }
            start += length;
        }
        self.pending.reverse();
    }
}

/// Class of letters.
const LETTER: u8 = 1;
/// Class of digits. Another part of a word can start between letters and digits.
const DIGIT: u8 = 2;
/// Class of bytes at which, or after which, another part of a word can start: capitals, which are
/// letters too, and the underscore.
const PART_START: u8 = 4;

/// Letters, digits and the underscore of ASCII; a table, because it is consulted for every byte.
static WORD: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => LETTER,
            b'A'..=b'Z' => LETTER | PART_START,
            b'0'..=b'9' => DIGIT,
            b'_' => PART_START,
            _ => 0,
        };
        byte += 1;
    }
    table
};

#[inline]
fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)] != 0
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Whether the byte belongs to the same word as the byte after it.
fn continues_word(bytes: &[u8], at: usize) -> bool {
    is_word(bytes[at]) || !bytes[at].is_ascii() || joins_neighbors(bytes, at)
}

/// Whether a dot or an apostrophe joins its neighbors into one word.
fn joins_neighbors(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'.' | b'\'')
        && bytes
            .get(at + 1)
            .is_some_and(|next| is_word(*next) || !next.is_ascii())
}

/// Whether the text between two boundaries is a word or an emoji, and not punctuation.
fn has_word_or_emoji(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric) || text.starts_with(is_emoji)
}

/// Pictures and the signs among them, such as check marks; neither arrows nor box drawings.
fn is_emoji(letter: char) -> bool {
    matches!(u32::from(letter),
        0x231A..=0x231B | 0x23E9..=0x23F3 | 0x2600..=0x27BF | 0x2B1B..=0x2B1C | 0x2B50 | 0x2B55 | 0x1F000..=0x1FAFF)
}

/// Han, kana, bopomofo and hangul, with the marks that belong to them.
pub(super) fn is_cjk(letter: char) -> bool {
    matches!(u32::from(letter),
        0x1100..=0x11FF | 0x3005..=0x3007 | 0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x318F | 0x31A0..=0x31BF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFFDC | 0x20000..=0x323AF)
}

#[cfg(test)]
mod tests {
    use super::{PrefixFilter, Scanner};

    #[test]
    fn scanner_skips_to_the_next_candidate() {
        let prefilter = PrefixFilter::new(["wanted"]);
        for before in ["b..", "b.'", "b'é..", "_b_ ", "b.", "é", "b. é", "東"] {
            let text = format!("{}wanted", before.repeat(40));
            let mut scanner = Scanner::new(&text);
            scanner.skip_to_candidate(&prefilter);
            let mut found = scanner.advance().unwrap();
            while found.to < text.len() && before.contains(['é', '東']) {
                scanner.skip_to_candidate(&prefilter);
                found = scanner.advance().unwrap();
            }
            assert!(
                text[found.from..found.to].ends_with("wanted"),
                "{before}: {found:?}"
            );
            scanner.skip_to_candidate(&prefilter);
            assert_eq!(scanner.advance(), None);
        }
    }
}
