//! The token at the end of a query, which is completed.

use quarry_search::{Qualifier, Token, TokenKind, is_quote, tokenize, with_closed_groups};

/// The token at the end of a query.
pub struct Typed<'q> {
    pub before: &'q str,
    pub is_negated: bool,
    pub text: &'q str,
}

impl Typed<'_> {
    /// Returns the sign of negation, or nothing.
    pub fn sign(&self) -> &'static str {
        if self.is_negated { "-" } else { "" }
    }

    /// Returns the query that ends with this text instead.
    pub fn after(&self, text: &str) -> String {
        format!("{}{text}", self.before)
    }

    /// Returns the query that ends with this qualifier, and the text of that; `None` if the language
    /// cannot express the value.
    pub fn completed(&self, qualifier: Qualifier, value: &str) -> Option<(String, String)> {
        let kind = TokenKind::Qualifier(qualifier, value.to_owned());
        let token = Token {
            negated: self.is_negated,
            or: false,
            kind,
            position: 1,
        };
        let text = token.to_string();
        let query = self.after(&text);
        let tokens = tokenize(&with_closed_groups(&query)).ok()?;
        let mut from_end = tokens.iter().rev();
        // Its negation depends on what precedes, as in `NOT is:open`.
        let last = from_end.find(|token| token.kind != TokenKind::Close)?;
        (last.kind == token.kind).then_some((query, text))
    }

    /// Returns the query that ends with this qualifier without negation.
    pub fn positive(&self, qualifier: Qualifier, value: &str) -> Option<String> {
        let positive = Typed {
            before: self.before,
            is_negated: false,
            text: self.text,
        };
        positive.completed(qualifier, value).map(|(query, _)| query)
    }
}

/// Returns the token at the end of a query; an empty one after a space.
pub fn last_token(query: &str) -> Typed<'_> {
    let mut start = 0;
    let mut is_quoted = false;
    for (at, letter) in query.char_indices() {
        if is_quote(letter) {
            is_quoted = !is_quoted;
        } else if letter.is_whitespace() && !is_quoted {
            start = at + letter.len_utf8();
        }
    }
    // What opens groups belongs to the text before.
    let token = &query[start..];
    let opening = token
        .rfind(|letter| !matches!(letter, '(' | '-'))
        .map_or(0, |_| {
            token.len() - token.trim_start_matches(['(', '-']).len()
        });
    start += token[..opening].rfind('(').map_or(0, |open| open + 1);
    let (before, token) = query.split_at(start);
    let text = token.strip_prefix('-').unwrap_or(token);
    Typed {
        before,
        is_negated: text.len() < token.len(),
        text,
    }
}

/// Whether a value or one of its words starts like this.
pub fn starts_with(value: &str, prefix: &str) -> bool {
    let value = value.to_lowercase();
    value.starts_with(prefix)
        || value
            .split_whitespace()
            .any(|word| word.starts_with(prefix))
}
