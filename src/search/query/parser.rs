//! The query language: words, `"phrases"`, `prefix*`, `-excluded`, `one OR other`, qualifiers such
//! as `is:open`, and groups of them in parentheses.
//!
//! Tokens have no meaning yet: `resolve` resolves the values of qualifiers. A text that only looks
//! like groups and operators is searched as words: see [`AsText`].

use super::lexer::{Lexeme, Mode, ParseError, lex};
use super::token::{Token, TokenKind};
pub use as_text::AsText;
use as_text::Reason;
use syntax::Tree;
pub(super) use syntax::{Items, Part};

mod as_text;
mod syntax;

/// Minimum number of words around `NOT` that are taken for a message.
const MIN_SENTENCE: usize = 4;
/// The same for words in capitals; fewer may be acronyms.
const MIN_CAPITALS: usize = 3;
/// Maximum depth of groups in groups.
const MAX_DEPTH: usize = 5;

/// The tokens of a query in their structure.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedText {
    /// What must match: of each item, any part.
    pub items: Items,
    /// The same without structure.
    pub tokens: Vec<Token>,
    /// Set if operators are searched as text.
    pub as_text: Option<AsText>,
    /// Whether the tokens are not in the text as they are, because of parentheses, `AND` or `NOT`.
    pub differs_from_text: bool,
}

/// Splits a query into tokens. Groups that change nothing are left out.
///
/// # Errors
/// If a qualifier has no value, a word looks like a misspelled qualifier, or groups are too deep.
pub fn tokenize(text: &str) -> Result<Vec<Token>, ParseError> {
    Ok(parse(text)?.tokens)
}

/// Returns why operators in a text are searched as text; `None` if they are not, and for an invalid
/// query.
pub fn searched_as_text(text: &str) -> Option<AsText> {
    parse(text).ok()?.as_text
}

/// Splits a query into tokens, with parentheses, `AND` and `NOT` as text.
///
/// # Errors
/// As [`tokenize`].
pub(super) fn tokenize_as_text(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    syntax::write(&syntax::normalize(text_items(text)?), &mut tokens);
    Ok(tokens)
}

/// Returns the items of a text whose parentheses, `AND` and `NOT` are text.
fn text_items(text: &str) -> Result<Items, ParseError> {
    let lexemes = lex(text, Mode::Text)?.lexemes;
    // Any sequence of operands and OR can be parsed.
    Ok(Tree::parse(&lexemes)
        .map(|tree| tree.items)
        .unwrap_or_default())
}

/// Parses a query; see [`tokenize`].
pub(super) fn parse(text: &str) -> Result<ParsedText, ParseError> {
    let lexed = lex(text, Mode::Operators)?;
    let mut as_text = None;
    let tree =
        check_operators(&lexed.lexemes, lexed.unmatched).and_then(|()| Tree::parse(&lexed.lexemes));
    let items = match tree {
        Ok(tree) => tree.items,
        Err(reason) => {
            as_text = Some(reason);
            text_items(text)?
        }
    };
    let items = syntax::normalize(items);
    if let Some(position) = syntax::deeper_than(&items, MAX_DEPTH) {
        return Err(ParseError {
            position,
            text: "(".to_owned(),
            problem: format!("parentheses may be nested at most {MAX_DEPTH} levels deep"),
        });
    }
    let mut tokens = Vec::new();
    syntax::write(&items, &mut tokens);
    Ok(ParsedText {
        items,
        tokens,
        differs_from_text: as_text.is_some() || has_operators(&lexed.lexemes),
        as_text,
    })
}

/// Tells operators from what only looks like them, as far as single lexemes show it.
fn check_operators(lexemes: &[Lexeme], unmatched: Option<usize>) -> Result<(), AsText> {
    let is_at_qualifier = lexemes.iter().any(|lexeme| {
        matches!(lexeme, Lexeme::Operand(Token { kind: TokenKind::Qualifier(_, value), .. }) if value.ends_with(')'))
    });
    if let Some(position) = unmatched.filter(|_| is_at_qualifier || has_operators(lexemes)) {
        return Err(AsText {
            position,
            reason: Reason::Unopened,
        });
    }
    let not = lexemes.iter().find_map(|lexeme| match lexeme {
        Lexeme::Not { position } => Some(*position),
        _ => None,
    });
    if let Some(position) = not
        && is_sentence(lexemes)
    {
        return Err(AsText {
            position,
            reason: Reason::Sentence,
        });
    }
    Ok(())
}

fn has_operators(lexemes: &[Lexeme]) -> bool {
    lexemes.iter().any(|lexeme| {
        matches!(
            lexeme,
            Lexeme::And { .. } | Lexeme::Not { .. } | Lexeme::Open { .. }
        )
    })
}

/// Whether `NOT` is among words as in a message: `FILE NOT FOUND: x.xml`, `COULD NOT OPEN`. Anything
/// else that is only in queries shows that it is an operator.
fn is_sentence(lexemes: &[Lexeme]) -> bool {
    let mut words = 0;
    let mut capitals = 0;
    for lexeme in lexemes {
        match lexeme {
            Lexeme::Operand(Token {
                kind: TokenKind::Word(word),
                negated: false,
                ..
            }) if !word.ends_with('*') => {
                words += usize::from(word.contains(char::is_alphanumeric));
                let is_in_capitals =
                    word.contains(char::is_uppercase) && !word.contains(char::is_lowercase);
                capitals += usize::from(is_in_capitals);
            }
            Lexeme::And { .. } | Lexeme::Not { .. } => {}
            Lexeme::Open { negated: false, .. } | Lexeme::Close { .. } => {}
            _ => return false,
        }
    }
    words >= MIN_SENTENCE || words >= MIN_CAPITALS && capitals == words
}

#[cfg(test)]
mod tests;
