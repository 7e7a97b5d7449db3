//! Secrets in mails that only the recipient may have: reply tokens and unsubscribe links.
//!
//! An answer often contains both, in the quote or in an attached mail. They are found in every form that
//! mail programs produce: directly after other letters (`reply%2B…`), in upper case, wrapped into several
//! lines of a quote, with invisible characters. Invariant: time is linear in the length of the text.

mod digits;
mod reader;

use super::reply_token::ReplyToken;
use digits::Digits;
use reader::{Hyphens, MAX_DIGITS, Reader, next};
use std::cell::Cell;
use std::ops::Range;

/// Maximum number of signatures that are compared with one verifier.
const MAX_CHECKED: usize = 100_000;
/// Number of hexadecimal digits of the signature of an unsubscribe link.
const LINK_SIGNATURE: usize = 32;

/// What stands for digests in an unsubscribe link, in place of a thread.
pub const DIGESTS: &str = "digests";
/// What stands for reminders in an unsubscribe link.
pub const REMINDERS: &str = "reminders";

/// Verifies the signatures of the secrets in a mail.
pub struct Verifier<'a> {
    reply: &'a dyn Fn(&[u8], &[u8]) -> bool,
    unsubscribe: &'a dyn Fn(&str, &str) -> bool,
    checked: Cell<usize>,
}

impl<'a> Verifier<'a> {
    /// Creates a verifier from functions that compare signatures in constant time.
    ///
    /// `reply` tells whether its second argument is the signature of a reply token with the first as
    /// content; `unsubscribe`, whether the second is that of the unsubscribe link in the first:
    /// `user-kind-id`, `user-digests` or `user-reminders`.
    pub fn new(
        reply: &'a dyn Fn(&[u8], &[u8]) -> bool,
        unsubscribe: &'a dyn Fn(&str, &str) -> bool,
    ) -> Verifier<'a> {
        Verifier {
            reply,
            unsubscribe,
            checked: Cell::new(0),
        }
    }

    /// Whether it compares no more signatures.
    fn is_exhausted(&self) -> bool {
        self.checked.get() >= MAX_CHECKED
    }
}

/// Returns the text with `…` in place of every valid secret. When the verifier has compared `MAX_CHECKED`
/// signatures, everything with the form of a secret is replaced.
pub fn replace_in(text: &str, verifier: &Verifier<'_>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut search = Search::new(text.as_bytes(), verifier, true);
    let mut end = 0;
    while let Some((start, next)) = search.next_secret() {
        replaced.push_str(&text[end..start]);
        replaced.push('…');
        end = next;
    }
    replaced.push_str(&text[end..]);
    replaced
}

/// Overwrites the letters and digits of every valid secret in a file with `x`. Returns whether there was
/// one. When the verifier has compared `MAX_CHECKED` signatures, the rest of the file stays.
pub fn mask(content: &mut [u8], verifier: &Verifier<'_>) -> bool {
    let mut search = Search::new(content, verifier, false);
    let mut found = Vec::new();
    while let Some(secret) = search.next_secret() {
        found.push(secret);
    }
    for (start, end) in &found {
        for byte in &mut content[*start..*end] {
            if byte.is_ascii_alphanumeric() {
                *byte = b'x';
            }
        }
    }
    !found.is_empty()
}

struct Search<'b> {
    bytes: &'b [u8],
    verifier: &'b Verifier<'b>,
    /// Whether what has the form of a secret counts as one when the verifier is exhausted.
    is_strict: bool,
    position: usize,
    digits: Digits<'b>,
    /// The digits at which a link may begin; before their end, at no others.
    link_starts: Range<usize>,
}

impl<'b> Search<'b> {
    fn new(bytes: &'b [u8], verifier: &'b Verifier<'b>, is_strict: bool) -> Search<'b> {
        Search {
            bytes,
            verifier,
            is_strict,
            position: 0,
            digits: Digits::new(bytes),
            link_starts: 0..0,
        }
    }

    /// Returns the start and end of the next secret, which begins and ends with an ASCII character.
    fn next_secret(&mut self) -> Option<(usize, usize)> {
        while let Some(byte) = self.bytes.get(self.position) {
            let start = self.position;
            let end = if byte.is_ascii_digit() {
                self.link(start).or_else(|| self.token(start))
            } else {
                self.token(start)
            };
            if let Some(end) = end {
                self.position = end;
                return Some((start, end));
            }
            if self.verifier.is_exhausted() && !self.is_strict {
                return None;
            }
            self.position += 1;
        }
        None
    }

    fn is_valid(&self, verify: impl FnOnce(&Verifier<'_>) -> bool) -> bool {
        if self.verifier.is_exhausted() {
            return self.is_strict;
        }
        let checked = &self.verifier.checked;
        checked.set(checked.get() + 1);
        verify(self.verifier)
    }

    /// Returns the end of the reply token that begins here.
    fn token(&mut self, start: usize) -> Option<usize> {
        if !ReplyToken::may_begin(self.bytes[start]) {
            return None;
        }
        let text = self.digits.read_from(start)?;
        let length = ReplyToken::length_at_start(&text)?;
        let token = text.get(..length)?;
        let is_valid = self.is_valid(|verifier| {
            ReplyToken::decode(token, |bytes, signature| (verifier.reply)(bytes, signature))
                .is_some()
        });
        if !is_valid {
            return None;
        }
        self.digits.end_of(length - 1)
    }

    /// Returns the end of the link that begins here: `user-kind-id-signature`, or `user-digests-signature`
    /// and the like.
    fn link(&mut self, start: usize) -> Option<usize> {
        if start >= self.link_starts.end {
            self.link_starts = self.link_starts_from(start);
        }
        if !self.link_starts.contains(&start) {
            return None;
        }
        HYPHENS.into_iter().find_map(|hyphens| {
            let mut reader = Reader::new(self.bytes, start, hyphens);
            let mut signed = String::new();
            reader.take_digits(&mut signed)?;
            let signature = take_after_user(&mut reader, &mut signed)?;
            let is_valid = self.is_valid(|verifier| (verifier.unsubscribe)(&signed, &signature));
            is_valid.then_some(reader.position)
        })
    }

    /// Returns the digits, of all that follow, which may be the first one of a link: the last ones, if what
    /// follows them can be that of a link. Otherwise, the range is empty, and ends after the digits.
    fn link_starts_from(&self, start: usize) -> Range<usize> {
        let mut end = start;
        while let Some((position, _)) = next(self.bytes, end, |byte| byte.is_ascii_digit()) {
            end = position + 1;
        }
        let may_follow = HYPHENS.into_iter().any(|hyphens| {
            let mut reader = Reader::new(self.bytes, end, hyphens);
            take_after_user(&mut reader, &mut String::new()).is_some()
        });
        let first = if may_follow {
            // Between the digits is nothing but what mail programs insert, which has none.
            let digits = (start..end).rev();
            let mut digits = digits.filter(|position| self.bytes[*position].is_ascii_digit());
            digits.nth(MAX_DIGITS - 1).unwrap_or(start)
        } else {
            end
        };
        first..end
    }
}

/// The ways to write the hyphens of a link, in the order in which they are tried.
const HYPHENS: [Hyphens; 2] = [Hyphens::Any, Hyphens::Encoded];

/// Takes what follows the user in a link, `-kind-id-signature` or `-digests-signature` and the like. Appends
/// what is signed to `signed` and returns the signature.
fn take_after_user(reader: &mut Reader<'_>, signed: &mut String) -> Option<String> {
    reader.take_hyphen()?;
    signed.push('-');
    match reader.take_digits(signed) {
        Some(()) => {
            reader.take_hyphen()?;
            signed.push('-');
            reader.take_digits(signed)?;
        }
        None => signed.push_str(reader.take_word(&[DIGESTS, REMINDERS])?),
    }
    reader.take_hyphen()?;
    let mut signature = String::new();
    while signature.len() < LINK_SIGNATURE {
        signature.push(char::from(reader.take(|byte| byte.is_ascii_hexdigit())?));
    }
    Some(signature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::reply_token::{ReplyTarget, SIGNATURE_LENGTH};
    use crate::ids::{IssueId, JournalId, UserId};

    fn sign(bytes: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        let mut signature = [7; SIGNATURE_LENGTH];
        for (index, byte) in bytes.iter().enumerate() {
            signature[index % SIGNATURE_LENGTH] ^= byte.rotate_left((index / 3) as u32);
        }
        signature
    }

    const LINK: &str = "3-0-6102-ad2af66f74309d65926e1ce46ad781d2";

    fn with_verifier<T>(act: impl FnOnce(&Verifier<'_>) -> T) -> T {
        act(&Verifier::new(
            &|bytes, signature| sign(bytes) == signature,
            &|link, signature| format!("{link}-{}", signature.to_ascii_lowercase()) == LINK,
        ))
    }

    fn replace(text: &str) -> String {
        with_verifier(|verifier| replace_in(text, verifier))
    }

    fn token() -> String {
        let target = ReplyTarget::Issue {
            issue: IssueId(1_000_000),
            note: JournalId(9_000_000),
            last: JournalId(9_000_000),
            private: true,
        };
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        ReplyToken::new(UserId(5), target, now).encode(sign)
    }

    #[test]
    fn secrets_are_replaced_in_every_spelling() {
        let token = token();
        let (begin, end) = token.split_at(20);
        let (link, rest) = LINK.split_at(17);
        for (text, expected) in [
            (
                format!("ä <reply+{token}@example.net>,{}.\n", token.to_uppercase()),
                "ä <reply+…@example.net>,….\n",
            ),
            (
                format!("mailto:reply%2B{token}@example.net"),
                "mailto:reply%2B…@example.net",
            ),
            (format!("x{token}a"), "x…a"),
            (
                format!("> reply+{begin}\n> {end}@example.net"),
                "> reply+…@example.net",
            ),
            (format!("reply+{begin}=\r\n{end}@x"), "reply+…@x"),
            (format!("{begin}\u{200b}{end}"), "…"),
            (format!("{begin}<wbr>{end}"), "…"),
            (
                format!("http://x/unsubscribe/{LINK}>"),
                "http://x/unsubscribe/…>",
            ),
            (
                format!("http%3A%2F%2Fx%2Funsubscribe%2F{LINK}"),
                "http%3A%2F%2Fx%2Funsubscribe%2F…",
            ),
            (
                format!("unsubscribe%20{}", LINK.to_uppercase()),
                "unsubscribe%20…",
            ),
            (LINK.replace('-', "%2D"), "…"),
            (format!("_{}_", LINK.replace('-', "-2D")), "_…_"),
            (LINK.replace('-', "&#x2d;"), "…"),
            (LINK.replace('-', "&hyphen;"), "…"),
            (
                format!("> /unsubscribe/{link}\n> > {rest}."),
                "> /unsubscribe/….",
            ),
        ] {
            assert_eq!(replace(&text), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_stay() {
        let token = token();
        let (begin, end) = token.split_at(20);
        for text in [
            String::new(),
            format!("{begin} {end}"),
            format!("{begin}é{end}"),
            token.replacen('c', "b", 1),
            LINK.replace("6102", "6103"),
            "cat\nitem\nhello\ncicero\n".repeat(5000),
            "c".repeat(5000),
            "1-2-3-4-5\u{200b}".repeat(1000),
        ] {
            assert_eq!(replace(&text), text);
        }
    }

    #[test]
    fn secrets_in_files_are_masked_and_their_length_stays() {
        let utf16: Vec<u8> = LINK.bytes().flat_map(|byte| [byte, 0]).collect();
        for secret in [token().into_bytes(), LINK.as_bytes().to_vec(), utf16] {
            let mut content = [b"\xff\x00a ", secret.as_slice(), b" z\xfe"].concat();
            let length = content.len();
            assert!(with_verifier(|verifier| mask(&mut content, verifier)));
            assert_eq!(content.len(), length);
            assert!(content.starts_with(b"\xff\x00a x") && content.ends_with(b" z\xfe"));
            assert!(!with_verifier(|verifier| mask(&mut content, verifier)));
        }
    }

    #[test]
    fn texts_and_files_of_a_mail_share_the_maximum_number_of_comparisons() {
        let text = "ci".repeat(60_000);
        with_verifier(|verifier| {
            assert_eq!(replace_in(&text, verifier), text);
            assert!(!mask(&mut text.clone().into_bytes(), verifier));
            // What nobody has verified is hidden in texts, and stays in files.
            assert!(replace_in(&text, verifier).starts_with('…'));
            assert!(!mask(&mut token().into_bytes(), verifier));
        });
    }
}
