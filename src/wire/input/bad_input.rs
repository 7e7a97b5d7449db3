//! Errors about a query string or a body that cannot be parsed.
//!
//! Invariant: every message names the position (a parameter, or a line and column) and quotes at
//! most a short part of what was sent.

use thiserror::Error;

/// Why a query string or a body cannot be parsed. The message is for the client; the status is 400.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadInput {
    /// One parameter of a query string or a form.
    #[error("parameter `{name}`: {problem}")]
    Parameter {
        /// Name, shortened; invalid bytes are replaced.
        name: String,
        /// What is wrong with the parameter.
        problem: &'static str,
    },
    /// Too many parameters.
    #[error("more than {limit} parameters")]
    TooManyParameters {
        /// Maximum number of parameters.
        limit: usize,
    },
    /// A position in a JSON or XML body.
    #[error("line {line}, column {column}: {problem}")]
    Document {
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
        /// What is wrong at the position.
        problem: String,
    },
}

impl BadInput {
    /// Returns the error about a parameter.
    pub(super) fn in_parameter(name: &[u8], problem: &'static str) -> Self {
        let name = shorten(&String::from_utf8_lossy(name));
        BadInput::Parameter { name, problem }
    }

    /// Returns the error at a byte offset of a document; an offset past its end means its end.
    pub(super) fn in_document(text: &str, offset: usize, problem: impl Into<String>) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        BadInput::Document {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: problem.into(),
        }
    }
}

/// Returns the body as text, without a byte order mark; fails at the first byte that is not UTF-8.
pub(super) fn decode_utf8(body: &[u8]) -> Result<&str, BadInput> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    std::str::from_utf8(body).map_err(|error| {
        let (valid, _) = body.split_at(error.valid_up_to());
        let valid = String::from_utf8_lossy(valid);
        BadInput::in_document(&valid, valid.len(), "this byte is not valid UTF-8")
    })
}

/// Maximum number of characters that a message quotes.
const MAX_QUOTED_CHARS: usize = 60;

/// Returns the start of what a client sent, to be quoted in a message.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
