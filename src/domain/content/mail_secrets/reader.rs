//! Reads the characters of a secret.

/// Maximum number of bytes between two characters of a secret.
const MAX_GAP: usize = 16;
/// Maximum number of line breaks in a secret.
const MAX_BREAKS: usize = 2;
/// Maximum number of digits of an id.
const MAX_DIGITS: usize = 19;

/// A reader for the characters of a secret, which skips what mail programs insert between them.
pub struct Reader<'b> {
    bytes: &'b [u8],
    /// The end of the last character.
    pub position: usize,
    breaks: usize,
    pub hyphens: Hyphens,
}

/// How the hyphens of a link are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hyphens {
    /// As `-`, or encoded in the usual ways.
    Any,
    /// All of them as `-2D`.
    Encoded,
}

impl<'b> Reader<'b> {
    /// Creates a reader that begins at this position.
    pub fn new(bytes: &'b [u8], position: usize) -> Reader<'b> {
        Reader {
            bytes,
            position,
            breaks: 0,
            hyphens: Hyphens::Any,
        }
    }

    /// Takes the next character if it is wanted, after what mail programs insert.
    pub fn take(&mut self, is_wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let next = self.bytes.get(self.position).copied();
        if let Some(byte) = next.filter(|byte| is_wanted(*byte)) {
            self.position += 1;
            return Some(byte);
        }
        let (position, has_break) = self.skip_gap();
        let byte = self.bytes.get(position).copied();
        let byte = byte.filter(|byte| is_wanted(*byte))?;
        self.breaks += usize::from(has_break);
        if self.breaks > MAX_BREAKS {
            return None;
        }
        self.position = position + 1;
        Some(byte)
    }

    /// Takes digits, as many as an id can have.
    pub fn take_digits(&mut self) -> Option<String> {
        let mut digits = String::new();
        while digits.len() < MAX_DIGITS
            && let Some(digit) = self.take(|byte| byte.is_ascii_digit())
        {
            digits.push(char::from(digit));
        }
        (!digits.is_empty()).then_some(digits)
    }

    /// Takes one of these words, in upper or lower case.
    pub fn take_word<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        let longest = words.iter().map(|word| word.len()).max()?;
        let mut taken = String::new();
        while taken.len() < longest
            && let Some(letter) = self.take(|byte| byte.is_ascii_alphabetic())
        {
            taken.push(char::from(letter.to_ascii_lowercase()));
            if let Some(word) = words.iter().find(|word| **word == taken) {
                return Some(word);
            }
        }
        None
    }

    /// Takes a hyphen, which may be encoded (`%2D`, `=2D`, `&#45;`).
    pub fn take_hyphen(&mut self) -> Option<()> {
        let encoded: &[&str] = match self.hyphens {
            // Proofpoint's links have `-` in place of `%`.
            Hyphens::Encoded => return self.take_text(&["-2D"]),
            Hyphens::Any => &["%2D", "=2D", "&#45;", "&#x2D;", "&hyphen;"],
        };
        if self.take_text(encoded).is_some() {
            return Some(());
        }
        self.take(|byte| byte == b'-').map(drop)
    }

    /// Takes one of these texts, in upper or lower case.
    fn take_text(&mut self, texts: &[&str]) -> Option<()> {
        let rest = &self.bytes[self.position..];
        let text = texts.iter().find(|text| {
            let start = rest.get(..text.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
        })?;
        self.position += text.len();
        Some(())
    }

    /// Returns the position of the next character, and whether a line break is before it.
    fn skip_gap(&self) -> (usize, bool) {
        let mut position = self.position;
        let mut has_break = false;
        let mut needs_break = false;
        while position - self.position < MAX_GAP {
            position += match &self.bytes[position..] {
                [b'\n' | b'\r', ..] => {
                    has_break = true;
                    1
                }
                // Spaces at a line break, quote markers, soft line breaks of quoted-printable.
                [b' ' | b'\t' | b'>' | b'|' | b'=', ..] => {
                    needs_break = true;
                    1
                }
                // The zero bytes of ASCII in UTF-16.
                [0, ..] => 1,
                // Soft hyphens and characters without width.
                [0xc2, 0xad, ..] => 2,
                [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => {
                    3
                }
                [b'<', b'w' | b'W', b'b' | b'B', b'r' | b'R', b'>', ..] => 5,
                _ => break,
            };
        }
        if needs_break && !has_break {
            return (self.position, false);
        }
        (position, has_break)
    }
}
