//! How is a client told what it sent wrong?
//!
//! Invariant: every message names the place, a parameter or a line and column, and repeats at most a short
//! piece of what was sent. Imports nothing.

use thiserror::Error;

/// Why a query string or a body cannot be read. The message is a sentence for the client: its answer is 400.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadInput {
    /// One parameter of a query string or a form.
    #[error("parameter `{name}`: {problem}")]
    Parameter {
        /// The name as far as it can be read, shortened.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More parameters than are read.
    #[error("more than {limit} parameters")]
    TooManyParameters {
        /// How many are read.
        limit: usize,
    },
    /// A place in a JSON or XML body.
    #[error("line {line}, column {column}: {problem}")]
    Document {
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
}

impl BadInput {
    /// A fault of one parameter.
    pub(super) fn parameter(name: &[u8], problem: &'static str) -> Self {
        let name = shorten(&String::from_utf8_lossy(name));
        BadInput::Parameter { name, problem }
    }

    /// A fault at a byte offset of a document; an offset past its end means its end.
    pub(super) fn document(text: &str, offset: usize, problem: impl Into<String>) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        BadInput::Document {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: problem.into(),
        }
    }
}

/// The body as text, without a byte order mark; not UTF-8 is an error at the first wrong byte.
pub(super) fn utf8(body: &[u8]) -> Result<&str, BadInput> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    std::str::from_utf8(body).map_err(|error| {
        let (valid, _) = body.split_at(error.valid_up_to());
        let valid = String::from_utf8_lossy(valid);
        BadInput::document(&valid, valid.len(), "this byte is not valid UTF-8")
    })
}

/// At most 60 characters of what a client sent, to be repeated to it.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
