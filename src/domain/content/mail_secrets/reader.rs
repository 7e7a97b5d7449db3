//! Reads the characters of a secret.

/// Maximum number of bytes between two characters of a secret.
const MAX_GAP: usize = 16;
/// Maximum number of line breaks in a secret.
pub const MAX_BREAKS: usize = 2;
/// Maximum number of digits of an id.
pub const MAX_DIGITS: usize = 19;

/// A reader for the characters of a secret, which skips what mail programs insert between them.
pub struct Reader<'b> {
    bytes: &'b [u8],
    /// The end of the last character.
    pub position: usize,
    breaks: usize,
    hyphens: Hyphens,
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
    pub fn new(bytes: &'b [u8], position: usize, hyphens: Hyphens) -> Reader<'b> {
        Reader {
            bytes,
            position,
            breaks: 0,
            hyphens,
        }
    }

    /// Takes the next character if it is wanted, after what mail programs insert.
    pub fn take(&mut self, is_wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let (position, has_break) = next(self.bytes, self.position, is_wanted)?;
        self.breaks += usize::from(has_break);
        if self.breaks > MAX_BREAKS {
            return None;
        }
        self.position = position + 1;
        Some(self.bytes[position])
    }

    /// Takes digits, as many as an id can have, and appends them to a text.
    pub fn take_digits(&mut self, text: &mut String) -> Option<()> {
        let mut count = 0;
        while count < MAX_DIGITS
            && let Some(digit) = self.take(|byte| byte.is_ascii_digit())
        {
            text.push(char::from(digit));
            count += 1;
        }
        (count > 0).then_some(())
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
        match self.hyphens {
            // Proofpoint's links have `-` in place of `%`.
            Hyphens::Encoded => self.take_text(&["-2D"]),
            Hyphens::Any => match self.take(|byte| byte == b'-') {
                Some(_) => Some(()),
                None => self.take_text(&["%2D", "=2D", "&#45;", "&#x2D;", "&hyphen;"]),
            },
        }
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
}

/// Returns the position of the next character if it is wanted, and whether a line break is before it.
pub fn next(
    bytes: &[u8],
    position: usize,
    is_wanted: impl Fn(u8) -> bool,
) -> Option<(usize, bool)> {
    if bytes.get(position).is_some_and(|byte| is_wanted(*byte)) {
        return Some((position, false));
    }
    let (position, has_break) = skip_gap(bytes, position);
    let is_next = bytes.get(position).is_some_and(|byte| is_wanted(*byte));
    is_next.then_some((position, has_break))
}

/// Returns the position after what mail programs insert, and whether that has a line break.
fn skip_gap(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut position = start;
    let mut has_break = false;
    let mut needs_break = false;
    while position - start < MAX_GAP {
        position += match &bytes[position..] {
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
            [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
            [b'<', b'w' | b'W', b'b' | b'B', b'r' | b'R', b'>', ..] => 5,
            _ => break,
        };
    }
    if needs_break && !has_break {
        return (start, false);
    }
    (position, has_break)
}
