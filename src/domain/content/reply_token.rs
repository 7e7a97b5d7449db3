//! Reply tokens: signed texts in the addresses of outgoing mails, by which answers are authenticated.
//!
//! A token contains a user, what the user may answer, and a day, and is signed with a key of the store.
//! It is encoded in base32 and ignores case, because mail servers change the case of addresses.
//! Invariant: a token is used only after its signature was checked.

use crate::ids::{IssueId, JournalId, ProjectId, UserId};
use jiff::{SignedDuration, Timestamp};

/// Number of days after which a token expires.
pub const LIFETIME_DAYS: i64 = 365;
/// Number of bytes of the signature.
pub const SIGNATURE_LENGTH: usize = 16;
/// Minimum number of characters of a token: one byte for version and kind, a day, two numbers of a byte,
/// and the signature.
pub const MIN_LENGTH: usize = 34;
/// Maximum number of characters of the part of an address before the `@` (RFC 5321).
pub const MAX_LOCAL_PART: usize = 64;

/// The version of the format, in the upper half of the first byte.
const VERSION: u8 = 1;
/// Seconds of a day.
const DAY: i64 = 86_400;
/// Midnight of 2020-01-01 in UTC, the day 0 of tokens.
const FIRST_DAY: i64 = 1_577_836_800;
/// The digits of base32 (RFC 4648), in lower case.
const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// What a user may answer by mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyTarget {
    /// An issue. The answer becomes a note.
    Issue {
        /// The issue.
        issue: IssueId,
        /// The first note that the mail shows; 0 without one.
        note: JournalId,
        /// The last note that the mail shows; the same as `note` if it is the only one.
        last: JournalId,
        /// Whether the mail shows a private note, so that the answer must be private.
        private: bool,
    },
    /// A message of a forum. The answer becomes a reply to its topic.
    Message(i64),
    /// A news item. The answer becomes a comment.
    News(i64),
    /// A project. The mail becomes a new issue.
    Project {
        project: ProjectId,
        /// Number of addresses that the user had for the project before this one.
        number: i64,
    },
}

/// A token: who may answer what, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyToken {
    pub user: UserId,
    pub target: ReplyTarget,
    /// The day of the token, counted from 2020-01-01.
    day: u16,
}

impl ReplyToken {
    /// Creates a token of this day.
    pub fn new(user: UserId, target: ReplyTarget, now: Timestamp) -> ReplyToken {
        ReplyToken {
            user,
            target,
            day: day_of(now),
        }
    }

    /// Whether the token is older than [`LIFETIME_DAYS`], or from a later day than tomorrow.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        let age = i64::from(day_of(now)) - i64::from(self.day);
        !(-1..=LIFETIME_DAYS).contains(&age)
    }

    /// Returns the token as text in lower case. `sign` returns the signature of bytes.
    pub fn encode(&self, sign: impl FnOnce(&[u8]) -> [u8; SIGNATURE_LENGTH]) -> String {
        let mut bytes = self.payload();
        let signature = sign(&bytes);
        bytes.extend_from_slice(&signature);
        to_base32(&bytes)
    }

    /// Parses a token, ignoring case. `verify` checks the signature of bytes in constant time. Returns
    /// `None` for a text that is no token with a valid signature.
    pub fn decode(text: &str, verify: impl FnOnce(&[u8], &[u8]) -> bool) -> Option<ReplyToken> {
        if !(MIN_LENGTH..=MAX_LOCAL_PART).contains(&text.len()) {
            return None;
        }
        let bytes = from_base32(text)?;
        let (payload, signature) =
            bytes.split_at_checked(bytes.len().checked_sub(SIGNATURE_LENGTH)?)?;
        if !verify(payload, signature) {
            return None;
        }
        let (token, rest) = Self::parse(payload)?;
        rest.is_empty().then_some(token)
    }

    /// Whether a token may contain this character.
    pub(super) fn is_digit(character: u8) -> bool {
        digit_value(character).is_some()
    }

    /// Whether a token may begin with this character.
    pub(super) fn may_begin(character: u8) -> bool {
        digit_value(character) == Some(VERSION << 1)
    }

    /// Returns the number of characters of the token at the beginning of the text, which follows from its
    /// content; `None` if the text cannot begin with one. The signature is not checked.
    pub(super) fn length_at_start(text: &str) -> Option<usize> {
        let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
        push_base32(&mut bytes, text.bytes().map_while(digit_value));
        let (_, rest) = Self::parse(&bytes)?;
        let length = bytes.len() - rest.len() + SIGNATURE_LENGTH;
        Some((length * 8).div_ceil(5))
    }

    fn payload(&self) -> Vec<u8> {
        // Kinds are below 8, so that all tokens begin with the same character.
        let (kind, numbers) = match self.target {
            ReplyTarget::Issue {
                issue,
                note,
                last,
                private,
            } => {
                let kind = if private { 2 } else { 1 };
                match last.0.saturating_sub(note.0) {
                    ..=0 => (kind, vec![issue.0, note.0]),
                    span => (kind + 5, vec![issue.0, note.0, span]),
                }
            }
            ReplyTarget::Message(id) => (3, vec![id]),
            ReplyTarget::News(id) => (4, vec![id]),
            ReplyTarget::Project { project, number: 0 } => (5, vec![project.0]),
            ReplyTarget::Project { project, number } => (0, vec![project.0, number]),
        };
        let mut bytes = vec![VERSION << 4 | kind];
        bytes.extend_from_slice(&self.day.to_be_bytes());
        push_number(&mut bytes, self.user.0);
        for number in numbers {
            push_number(&mut bytes, number);
        }
        bytes
    }

    /// Parses the signed part of a token. Also returns the bytes after it.
    fn parse(payload: &[u8]) -> Option<(ReplyToken, &[u8])> {
        let (&first, rest) = payload.split_first()?;
        if first >> 4 != VERSION {
            return None;
        }
        let (day, mut rest) = rest.split_at_checked(2)?;
        let day = u16::from_be_bytes(day.try_into().ok()?);
        let user = UserId(take_number(&mut rest)?);
        let id = take_number(&mut rest)?;
        let target = match first & 0x0f {
            kind @ (1 | 2 | 6 | 7) => {
                let note = take_number(&mut rest)?;
                let span = if kind > 5 { take_number(&mut rest)? } else { 0 };
                ReplyTarget::Issue {
                    issue: IssueId(id),
                    note: JournalId(note),
                    last: JournalId(note.checked_add(span)?),
                    private: kind == 2 || kind == 7,
                }
            }
            3 => ReplyTarget::Message(id),
            4 => ReplyTarget::News(id),
            5 => ReplyTarget::Project {
                project: ProjectId(id),
                number: 0,
            },
            0 => ReplyTarget::Project {
                project: ProjectId(id),
                number: take_number(&mut rest)?,
            },
            _ => return None,
        };
        Some((ReplyToken { user, target, day }, rest))
    }
}

/// Returns the time before which all tokens of received mails have expired now.
pub fn expired_before(now: Timestamp) -> Timestamp {
    let lifetime = SignedDuration::from_hours(24 * (LIFETIME_DAYS + 2));
    now.checked_sub(lifetime).unwrap_or(Timestamp::MIN)
}

fn day_of(time: Timestamp) -> u16 {
    let days = (time.as_second() - FIRST_DAY).div_euclid(DAY);
    u16::try_from(days.max(0)).unwrap_or(u16::MAX)
}

/// Appends a number in LEB128: seven bits per byte, with the upper bit set in all but the last.
fn push_number(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = number.cast_unsigned();
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<i64> {
    let mut number: u64 = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number.cast_signed());
        }
    }
    None
}

fn to_base32(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 8 / 5 + 1);
    let mut buffer = 0u32;
    let mut bits = 0u32;
    for &byte in bytes {
        buffer = (buffer << 8 | u32::from(byte)) & 0xfff;
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(DIGITS[(buffer >> bits & 31) as usize]));
        }
    }
    if bits > 0 {
        text.push(char::from(DIGITS[(buffer << (5 - bits) & 31) as usize]));
    }
    text
}

/// Returns the value of a digit of base32 in any case.
fn digit_value(digit: u8) -> Option<u8> {
    match digit.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => Some(letter - b'a'),
        number @ b'2'..=b'7' => Some(number - b'2' + 26),
        _ => None,
    }
}

/// Appends the bytes of these digits. Returns the number of remaining bits, and their value.
fn push_base32(bytes: &mut Vec<u8>, digits: impl Iterator<Item = u8>) -> (u32, u32) {
    let mut buffer = 0u32;
    let mut bits = 0u32;
    for value in digits {
        buffer = (buffer << 5 | u32::from(value)) & 0xfff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
        }
    }
    (bits, buffer & ((1 << bits) - 1))
}

/// Returns the bytes of a text in base32; `None` unless it is their canonical encoding, ignoring case.
fn from_base32(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let values: Vec<u8> = text.bytes().map(digit_value).collect::<Option<_>>()?;
    let (bits, rest) = push_base32(&mut bytes, values.into_iter());
    (bits < 5 && rest == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn sign(bytes: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        let mut signature = [7; SIGNATURE_LENGTH];
        for (index, byte) in bytes.iter().enumerate() {
            signature[index % SIGNATURE_LENGTH] ^= byte.rotate_left((index / 3) as u32);
        }
        signature
    }

    fn decode(text: &str) -> Option<ReplyToken> {
        ReplyToken::decode(text, |bytes, signature| sign(bytes) == signature)
    }

    fn targets() -> [ReplyTarget; 8] {
        let issue = |issue, note, last, private| ReplyTarget::Issue {
            issue: IssueId(issue),
            note: JournalId(note),
            last: JournalId(last),
            private,
        };
        [
            issue(1, 0, 0, false),
            issue(1_000_000, 9_000_000, 9_000_000, true),
            issue(1_000_000, 9_000_000, 9_000_100, true),
            issue(7, 300, 302, false),
            ReplyTarget::Message(300),
            ReplyTarget::News(127),
            ReplyTarget::Project {
                project: ProjectId(128),
                number: 0,
            },
            ReplyTarget::Project {
                project: ProjectId(9000),
                number: 300,
            },
        ]
    }

    #[test]
    fn token_is_decoded_in_every_case() {
        for target in targets() {
            let token = ReplyToken::new(UserId(1234), target, now());
            let text = token.encode(sign);
            assert!((MIN_LENGTH..=50).contains(&text.len()), "{text}");
            assert_eq!(decode(&text), Some(token));
            assert_eq!(decode(&text.to_uppercase()), Some(token));
            assert!(ReplyToken::may_begin(text.as_bytes()[0]));
            let longer = format!("{text}abc");
            assert_eq!(ReplyToken::length_at_start(&longer), Some(text.len()));
        }
    }

    #[test]
    fn every_changed_character_makes_a_token_invalid() {
        let token = ReplyToken::new(UserId(5), targets()[0], now());
        let text = token.encode(sign);
        for index in 0..text.len() {
            for digit in DIGITS {
                let mut changed = text.clone().into_bytes();
                if changed[index] != *digit {
                    changed[index] = *digit;
                    let changed = String::from_utf8(changed).unwrap();
                    assert_eq!(decode(&changed), None, "{changed}");
                }
            }
        }
        assert_eq!(decode(&text[1..]), None);
        assert_eq!(decode(&format!("{text}a")), None);
        assert_eq!(decode(""), None);
        assert_eq!(decode(&"a".repeat(64)), None);
        assert_eq!(decode(&"é".repeat(20)), None);
    }

    #[test]
    fn token_expires_after_a_year() {
        let token = ReplyToken::new(UserId(5), targets()[0], now());
        let after = |days: i64| now() + SignedDuration::from_hours(24 * days);
        assert!(!token.is_expired(now()));
        assert!(!token.is_expired(after(365)));
        assert!(token.is_expired(after(366)));
        assert!(token.is_expired(after(-3)), "a token of the future");
    }

    #[test]
    fn token_of_another_version_is_unknown() {
        let token = ReplyToken::new(UserId(5), targets()[0], now());
        let mut payload = token.payload();
        assert_eq!(ReplyToken::parse(&payload), Some((token, &[][..])));
        payload[0] = 0x21;
        assert_eq!(ReplyToken::parse(&payload), None);
    }
}
