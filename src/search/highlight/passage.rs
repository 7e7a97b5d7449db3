//! A piece of a text with its marked words, as text with offsets and as HTML.

use super::Place;
use crate::markup::html::escape_into;

/// A piece of a text, without markup, and where the words of the question stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Of which text it is a piece.
    pub place: Place,
    /// What it says. Every run of spaces and line ends is one space, but in a title.
    pub text: String,
    /// From which byte to which, in order; they do not touch each other.
    pub(super) marks: Vec<(usize, usize)>,
}

impl Passage {
    /// The marked words: from which character to which, the first being 0 and the second not included. A character is a Unicode
    /// scalar value.
    pub fn marks(&self) -> Vec<(i64, i64)> {
        let (mut at, mut count) = (0, 0);
        let mut characters = |to: usize| {
            count += self.text[at..to].chars().count();
            at = to;
            i64::try_from(count).unwrap_or(i64::MAX)
        };
        self.marks.iter().map(|(from, to)| (characters(*from), characters(*to))).collect()
    }

    /// As HTML that is safe to show, each marked word in `<mark>`.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 13 * self.marks.len() + 16);
        self.write(&mut out);
        out
    }

    /// Adds the HTML to `out`.
    pub(super) fn write(&self, out: &mut String) {
        let mut at = 0;
        for (from, to) in &self.marks {
            escape_into(&self.text[at..*from], out);
            out.push_str("<mark>");
            escape_into(&self.text[*from..*to], out);
            out.push_str("</mark>");
            at = *to;
        }
        escape_into(&self.text[at..], out);
    }
}

/// Sorted ranges with those that overlap made one.
pub(super) fn joined(ranges: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(before) if from < before.1 => before.1 = before.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}
