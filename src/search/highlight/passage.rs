//! A passage of a text with marked words, as text with offsets and as HTML.

use super::fields::TextField;
use quarry_markup::html::escape_into;

/// A passage of a text without markup, with the ranges of the matching words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    pub field: TextField,
    /// The index of its text among those that the excerpt was made of.
    pub source: usize,
    /// The text. Every run of white space is one space, except in a title.
    pub text: String,
    /// Byte ranges of the marked words, sorted and without overlaps.
    pub(super) marks: Vec<(usize, usize)>,
}

impl Passage {
    /// Returns the ranges of the marked words in characters (Unicode scalar values), the end not
    /// included.
    pub fn marks(&self) -> Vec<(i64, i64)> {
        let mut marks = Vec::with_capacity(self.marks.len());
        let mut at = 0;
        let mut characters = 0;
        for (from, to) in &self.marks {
            let start = characters + count_chars(&self.text[at..*from]);
            let end = start + count_chars(&self.text[*from..*to]);
            marks.push((start, end));
            at = *to;
            characters = end;
        }
        marks
    }

    /// Returns escaped HTML with each marked word in `<mark>`.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 13 * self.marks.len() + 16);
        self.write(&mut out);
        out
    }

    /// Appends the HTML to `out`.
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

fn count_chars(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// Merges overlapping ranges, which must be sorted.
pub(super) fn merge_ranges(ranges: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(before) if from < before.1 => before.1 = before.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}
