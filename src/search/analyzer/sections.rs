//! The sections of the text of a record in one field: title, text and notes, in this order.
//!
//! The index has a term at the position where a section begins, except for the title. Queries do
//! not have it.

use std::borrow::Cow;

/// A part of the text of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The title.
    Title,
    /// Description, content or summary.
    Text,
    /// Notes that everybody may read.
    Notes,
}

/// The byte before text, and the one before notes.
const MARKS: [u8; 2] = [0x1C, 0x1D];

impl Section {
    /// Returns what stands before the section in the text of a field; `None` for the first one.
    pub fn mark(self) -> Option<char> {
        match self {
            Section::Title => None,
            Section::Text => Some(char::from(MARKS[0])),
            Section::Notes => Some(char::from(MARKS[1])),
        }
    }

    /// Returns the term at the position where the section begins; `None` for the first one. It
    /// begins with a character that no word has.
    pub fn term(self) -> Option<&'static str> {
        match self {
            Section::Title => None,
            Section::Text => Some("\u{3}text"),
            Section::Notes => Some("\u{3}notes"),
        }
    }
}

/// Returns a text without the marks of sections, which may be in records.
pub fn without_marks(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| MARKS.contains(&byte)) {
        let is_mark =
            |character: char| u8::try_from(character).is_ok_and(|byte| MARKS.contains(&byte));
        text.replace(is_mark, " ").into()
    } else {
        text.into()
    }
}

/// Returns the text up to the next section, that section, and the text from there on.
pub(super) fn split(text: &str) -> (&str, Option<(Section, &str)>) {
    let Some(at) = text.bytes().position(|byte| MARKS.contains(&byte)) else {
        return (text, None);
    };
    let section = if text.as_bytes()[at] == MARKS[0] {
        Section::Text
    } else {
        Section::Notes
    };
    (&text[..at], Some((section, &text[at + 1..])))
}
