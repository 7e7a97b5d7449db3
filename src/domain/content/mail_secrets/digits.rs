//! The digits of base32 from a position on. Each is read once, however many tokens may begin before it.

use super::reader::{MAX_BREAKS, next};
use crate::content::reply_token::{MAX_LOCAL_PART, MIN_LENGTH, ReplyToken};
use std::collections::VecDeque;

/// The digits that follow a position, as many as a token can have.
pub struct Digits<'b> {
    bytes: &'b [u8],
    digits: VecDeque<Digit>,
    /// Number of line breaks before the last digit.
    breaks: usize,
}

/// A digit of base32.
struct Digit {
    byte: u8,
    /// The position after it.
    end: usize,
    /// Number of line breaks before it.
    breaks: usize,
}

impl<'b> Digits<'b> {
    /// Creates digits of a text, before its beginning.
    pub fn new(bytes: &'b [u8]) -> Digits<'b> {
        Digits {
            bytes,
            digits: VecDeque::with_capacity(MAX_LOCAL_PART),
            breaks: 0,
        }
    }

    /// Returns the digits from a position on which may belong to one token; `None` if they are too few.
    /// Positions must not decrease.
    pub fn read_from(&mut self, start: usize) -> Option<String> {
        while self.digits.front().is_some_and(|digit| digit.end <= start) {
            self.digits.pop_front();
        }
        let mut end = self.digits.back().map_or(start, |last| last.end);
        while self.digits.len() < MAX_LOCAL_PART
            && let Some((position, has_break)) = next(self.bytes, end, ReplyToken::is_digit)
        {
            self.breaks += usize::from(has_break);
            end = position + 1;
            self.digits.push_back(Digit {
                byte: self.bytes[position],
                end,
                breaks: self.breaks,
            });
        }
        let max_breaks = self.digits.front()?.breaks + MAX_BREAKS;
        let is_near = |digit: &&Digit| digit.breaks <= max_breaks;
        self.digits.get(MIN_LENGTH - 1).filter(is_near)?;
        let digits = self.digits.iter().take_while(is_near);
        Some(digits.map(|digit| char::from(digit.byte)).collect())
    }

    /// Returns the position after a digit, counted from that of the last call of [`Digits::read_from`].
    pub fn end_of(&self, index: usize) -> Option<usize> {
        self.digits.get(index).map(|digit| digit.end)
    }
}
