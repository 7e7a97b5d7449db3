//! Where words begin and end: a fast path for ASCII, UAX #29 for the rest, runs of CJK characters apart.

use unicode_segmentation::UnicodeSegmentation;

use super::SEPARATOR;
use super::firsts::Firsts;

/// How a run of characters is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Chinese, Japanese, Korean: words are not marked.
    Cjk,
}

/// A word, or a run of CJK characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Where it begins, in bytes.
    pub from: usize,
    /// Where it ends, in bytes.
    pub to: usize,
    /// How it is read.
    pub script: Script,
    /// How many separators stand before it.
    pub gaps: usize,
    /// Whether it is known to be of ASCII letters and digits alone, of which only the first may be a capital: it is of one part.
    pub plain: bool,
}

/// Goes through a text once.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    waiting: Vec<Found>,
    /// How many separators stand behind the last word.
    gaps: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, waiting: Vec::new(), gaps: 0 }
    }

    /// Goes to the next word of which some part may be looked for.
    pub fn pass_over(&mut self, firsts: &Firsts) {
        if !self.waiting.is_empty() {
            return;
        }
        let bytes = self.text.as_bytes();
        let mut word = firsts.next_in(bytes, self.at);
        // Back to where it begins, and no further: no other word is read again.
        while word < bytes.len() && word > self.at && belongs(bytes, word - 1) {
            word -= 1;
        }
        self.at = word;
    }

    /// How many separators stand behind the last word, at the end of the text.
    pub fn gaps(&self) -> usize {
        self.gaps
    }

    /// The next word.
    pub fn advance(&mut self) -> Option<Found> {
        let bytes = self.text.as_bytes();
        loop {
            if let Some(found) = self.waiting.pop() {
                return Some(Found { gaps: std::mem::take(&mut self.gaps), ..found });
            }
            while self.at < bytes.len() && !begins(bytes[self.at]) {
                self.gaps += usize::from(bytes[self.at] == SEPARATOR as u8);
                self.at += 1;
            }
            if self.at == bytes.len() {
                return None;
            }
            let from = self.at;
            let (mut to, mut odd) = (from, false);
            loop {
                while let Some(byte) = bytes.get(to)
                    && is_word(*byte)
                {
                    odd |= to > from && WORD[usize::from(*byte)] == ODD;
                    to += 1;
                }
                if to == bytes.len() || !joins(bytes, to) {
                    break;
                }
                odd = true;
                to += 1;
            }
            if to == bytes.len() || bytes[to].is_ascii() {
                self.at = to;
                let gaps = std::mem::take(&mut self.gaps);
                return Some(Found { from, to, script: Script::Spaced, gaps, plain: !odd });
            }
            while to < bytes.len() && (is_word(bytes[to]) || joins(bytes, to) || !bytes[to].is_ascii()) {
                to += 1;
            }
            self.at = to;
            self.segment(from, to);
        }
    }

    /// Puts the words of a chunk that is not plain ASCII into `waiting`, last first.
    fn segment(&mut self, from: usize, to: usize) {
        let chunk = &self.text[from..to];
        let mut start = 0;
        while start < chunk.len() {
            let rest = &chunk[start..];
            let cjk = rest.chars().next().is_some_and(is_cjk);
            let length = rest.char_indices().find(|(_, letter)| is_cjk(*letter) != cjk).map_or(rest.len(), |(at, _)| at);
            let at = from + start;
            if cjk {
                self.waiting.push(Found { from: at, to: at + length, script: Script::Cjk, gaps: 0, plain: false });
            } else {
                let words = rest[..length].unicode_word_indices();
                self.waiting.extend(words.map(|(n, word)| Found {
                    from: at + n,
                    to: at + n + word.len(),
                    script: Script::Spaced,
                    gaps: 0,
                    plain: false,
                }));
            }
            start += length;
        }
        self.waiting.reverse();
    }
}

/// Bytes at or behind which another part of a word can begin.
const ODD: u8 = 2;

/// Letters, digits and the underscore of ASCII; a table, because every byte of every text comes by.
static WORD: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 128 {
        if (byte as u8).is_ascii_uppercase() || byte as u8 == b'_' {
            table[byte] = ODD;
        } else if (byte as u8).is_ascii_alphanumeric() {
            table[byte] = 1;
        }
        byte += 1;
    }
    table
};

#[inline]
fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)] != 0
}

fn begins(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Whether the byte belongs to the same word as the one behind it, which belongs to one.
fn belongs(bytes: &[u8], at: usize) -> bool {
    is_word(bytes[at]) || !bytes[at].is_ascii() || joins(bytes, at)
}

/// Whether a dot or an apostrophe joins what stands around it into one word.
fn joins(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'.' | b'\'') && bytes.get(at + 1).is_some_and(|next| is_word(*next) || !next.is_ascii())
}

/// Han, kana, bopomofo and hangul, with the marks that belong to them.
fn is_cjk(letter: char) -> bool {
    matches!(u32::from(letter),
        0x1100..=0x11FF | 0x3005..=0x3007 | 0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x318F | 0x31A0..=0x31BF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFFDC | 0x20000..=0x323AF)
}

#[cfg(test)]
mod tests {
    use super::{Firsts, Scanner};

    #[test]
    fn the_word_that_is_gone_to_is_the_next() {
        let firsts = Firsts::of(["wanted"]);
        for before in ["b..", "b.'", "b'é..", "_b_ ", "b.", "é", "b. é", "東"] {
            let text = format!("{}wanted", before.repeat(40));
            let mut scanner = Scanner::new(&text);
            scanner.pass_over(&firsts);
            let mut found = scanner.advance().unwrap();
            while found.to < text.len() && before.contains(['é', '東']) {
                scanner.pass_over(&firsts);
                found = scanner.advance().unwrap();
            }
            assert!(text[found.from..found.to].ends_with("wanted"), "{before}: {found:?}");
            scanner.pass_over(&firsts);
            assert_eq!(scanner.advance(), None);
        }
    }
}
