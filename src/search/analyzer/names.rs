//! Names of languages and platforms with punctuation that belongs to them: `C++`, `C#`, `F#`,
//! `.NET`.
//!
//! There are only these: elsewhere the same characters are punctuation, as in `i++`, `#12` and
//! `example.net`. A version may follow the pluses: `C++11`.

use super::scan::is_cjk;

/// Names that begin with a letter: the letter, and what follows it.
const SUFFIXES: [(u8, &str); 3] = [(b'c', "++"), (b'c', "#"), (b'f', "#")];
/// The word of the name that begins with a dot.
const NET: &str = "net";

/// Returns the offsets of the name of which the word at these offsets is the part without
/// punctuation.
pub(super) fn find_name(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let before = &text[..from];
    let word = text.get(from..to)?;
    let after = &text[to..];
    match *word.as_bytes() {
        [letter] => {
            let (_, suffix) = SUFFIXES.into_iter().find(|(first, suffix)| {
                letter.eq_ignore_ascii_case(first) && after.starts_with(suffix)
            })?;
            let next = after.as_bytes().get(suffix.len());
            let ends = next.is_none_or(|next| {
                let is_version = suffix == "++" && next.is_ascii_digit();
                is_version || (!next.is_ascii_alphanumeric() && !b"+#".contains(next))
            });
            (ends && !before.ends_with(['+', '_'])).then_some((from, to + suffix.len()))
        }
        [_, _, _] if word.eq_ignore_ascii_case(NET) => {
            let before = before.strip_suffix('.')?;
            // A property or a domain: `a.net`, `a().net`, `a[0].net`; or the end of a sentence
            // without a space: `....net`.
            let continues = before.ends_with(|c: char| {
                (c.is_alphanumeric() && !is_cjk(c))
                    || matches!(c, '_' | '.' | ')' | ']' | '}' | '"' | '\'')
            });
            (!continues).then_some((from - 1, to))
        }
        _ => None,
    }
}
