//! The joined spelling of words with separators: `nodejs` for `node.js`, `email` for `e-mail`.
//!
//! Both spellings have the same term, so that each finds the other.

use super::names;
use super::split::is_separator;

/// A hyphenated word is joined if one of its halves has fewer letters than this: `e-mail`, `set-up`.
/// Longer halves are compounds, which queries find in either spelling.
const MIN_COMPOUND_HALF: usize = 3;
/// Maximum number of characters of the longer half.
const MAX_HALF: usize = 30;

/// Appends a word without the separators and hyphens between two letters. Those next to digits
/// remain, because `1.23` is not `12.3`.
pub(super) fn join(word: &str, out: &mut String) {
    let mut before = None;
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_between_letters = before.is_some_and(char::is_alphabetic)
            && letters.peek().is_some_and(|after| after.is_alphabetic());
        if !(is_between_letters && (is_separator(letter) || is_hyphen(letter))) {
            out.push(letter);
        }
        before = Some(letter);
    }
}

/// Returns the offsets of the hyphenated word of which the word at these offsets is a half, if one
/// of its halves is short. It has two: `state-of-the-art` and `--re-open` are none.
pub(super) fn find_hyphenated(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    // Most words have no hyphen next to them, which one byte shows.
    let has_byte = |at: Option<&u8>| at.is_some_and(|byte| may_be_hyphen(*byte));
    let has_hyphen_before =
        has_byte(text.as_bytes()[..from].last()) && text[..from].ends_with(is_hyphen);
    let has_hyphen_after =
        has_byte(text.as_bytes()[to..].first()) && text[to..].starts_with(is_hyphen);
    if has_hyphen_before == has_hyphen_after {
        return None;
    }
    let (start, end) = if has_hyphen_after {
        let second = text[to..].strip_prefix(is_hyphen)?;
        let length: usize = letters(second.chars());
        (from, text.len() - second.len() + length)
    } else {
        let first = text[..from].strip_suffix(is_hyphen)?;
        let length: usize = letters(first.chars().rev());
        (first.len() - length, to)
    };
    let (first, second) = text[start..end].split_once(is_hyphen)?;
    let has_short_half = first.chars().count().min(second.chars().count()) < MIN_COMPOUND_HALF;
    let is_joined = has_short_half
        && is_half(first)
        && is_half(second)
        && names::find_name(text, start, start + first.len()).is_none()
        && names::find_name(text, end - second.len(), end).is_none()
        && !continues(text[..start].chars().rev())
        && !continues(text[end..].chars());
    is_joined.then_some((start, end))
}

/// Returns the number of bytes of the letters at the beginning, if they are not too many.
fn letters(text: impl Iterator<Item = char>) -> usize {
    text.take(MAX_HALF)
        .take_while(|letter| letter.is_alphabetic())
        .map(char::len_utf8)
        .sum()
}

/// Whether a half consists of letters, without a capital inside as in `tableView`.
fn is_half(half: &str) -> bool {
    let mut letters = half.chars();
    let has_first = letters.next().is_some_and(char::is_alphabetic);
    let rest = letters.as_str();
    has_first
        && rest.chars().all(char::is_alphabetic)
        && (rest.chars().all(char::is_lowercase) || half.chars().all(char::is_uppercase))
}

/// Whether a word or a hyphenated one goes on with these characters, read away from it.
fn continues(mut text: impl Iterator<Item = char>) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    match text.next() {
        Some(letter) if is_separator(letter) => text.next().is_some_and(is_word),
        Some(letter) => is_word(letter) || is_hyphen(letter),
        None => false,
    }
}

/// Whether the character is a hyphen: of ASCII, of Unicode, or one at which no line is broken.
fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}' | '\u{2011}')
}

/// Whether the byte may be the first or the last one of a hyphen.
fn may_be_hyphen(byte: u8) -> bool {
    matches!(byte, b'-' | 0xE2 | 0x90 | 0x91)
}
