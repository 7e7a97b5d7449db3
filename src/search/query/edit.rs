//! Edits the text of a query: finds its qualifiers, removes or adds one, and shows what a
//! correction changed.
//!
//! The text is cut where that is possible, so that the rest stays as it was typed; with groups, it is
//! written again.

use super::lexer::open_groups;
use super::parsed_query::ParsedQuery;
use super::parser::{ParsedText, parse, tokenize};
use super::qualifier::Qualifier;
use super::token::{Token, TokenKind, text_of};
use super::word::Word;
use crate::schema::config::Bounds;

/// A qualifier in the text of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualifierToken {
    pub qualifier: Qualifier,
    /// Its value, without quotes.
    pub value: String,
    /// Whether matching records are excluded.
    pub negated: bool,
    /// The text of the query without it.
    pub rest: String,
}

/// Returns the qualifiers of a query that are neither in a group nor alternatives. A query that is
/// invalid has none.
pub fn qualifiers_of(text: &str) -> Vec<QualifierToken> {
    let parsed = parse(text).unwrap_or_default();
    let tokens = &parsed.tokens;
    let mut depth = 0_usize;
    let mut qualifiers = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Qualifier(qualifier, value) if depth == 0 && !has_choice(tokens, index) => {
                qualifiers.push(QualifierToken {
                    qualifier: *qualifier,
                    value: value.clone(),
                    negated: token.negated,
                    rest: without(text, &parsed, index),
                });
            }
            _ => {}
        }
    }
    qualifiers
}

/// Whether a token is one of several alternatives.
fn has_choice(tokens: &[Token], index: usize) -> bool {
    tokens[index].or || tokens.get(index + 1).is_some_and(|next| next.or)
}

/// Returns the query with a qualifier added; `None` if the language cannot express this value, or
/// the query is invalid.
pub fn with_qualifier(text: &str, qualifier: Qualifier, value: &str) -> Option<String> {
    let parsed = parse(text).ok()?;
    // With the qualifier, its operators would be operators.
    let quoted = parsed.as_text.is_some().then(|| text_of(&parsed.tokens));
    let text = quoted.as_deref().unwrap_or(text);
    let existing = without_positions(parsed.tokens);
    if value.trim().is_empty() {
        return None;
    }
    let added = (
        false,
        false,
        TokenKind::Qualifier(qualifier, value.to_owned()),
    );
    let typed = Token {
        negated: false,
        or: false,
        kind: added.2.clone(),
        position: 1,
    }
    .to_string();
    // At the end, unless a quote is open there or the last word is OR.
    let at_end = format!("{} {typed}", text.trim_end());
    let at_start = format!("{typed} {}", text.trim_start());
    let candidates = [
        (at_end.trim_start().to_owned(), existing.len()),
        (at_start, 0),
    ];
    for (candidate, position) in candidates {
        let mut expected = existing.clone();
        expected.insert(position, added.clone());
        if tokenize(&candidate).is_ok_and(|tokens| without_positions(tokens) == expected) {
            return Some(candidate);
        }
    }
    None
}

/// Returns the query with parentheses for the groups that are still open at its end.
pub fn with_closed_groups(text: &str) -> String {
    format!("{text}{}", ")".repeat(open_groups(text)))
}

/// What tokens mean, wherever they are in the text: `or`, `negated` and the kind of each.
fn without_positions(tokens: Vec<Token>) -> Vec<(bool, bool, TokenKind)> {
    let tokens = tokens.into_iter();
    tokens
        .map(|token| (token.or, token.negated, token.kind))
        .collect()
}

/// Returns the text of a query without these words, and the text of each word that is left out,
/// with its alternatives. A word that is repeated is left out everywhere, and listed once.
pub(crate) fn without_words(
    query: &ParsedQuery,
    left_out: &[&Word],
    bounds: &Bounds,
) -> (String, Vec<String>) {
    let mut kept = Vec::new();
    let mut removed = Vec::<String>::new();
    let mut is_removed = false;
    let mut depth = 0_usize;
    for token in &query.tokens {
        // Groups stay as they are.
        let is_grouped = depth > 0 || token.kind == TokenKind::Open;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        if is_grouped {
            kept.push(token.clone());
            is_removed = false;
            continue;
        }
        let word = Word::from_token(token, bounds).filter(|_| !token.negated);
        if !token.or {
            is_removed =
                word.is_some_and(|word| left_out.iter().any(|other| other.has_same_text(&word)));
        }
        match removed.last_mut() {
            _ if !is_removed => kept.push(token.clone()),
            Some(alternatives) if token.or => *alternatives = format!("{alternatives} {token}"),
            _ => removed.push(token.to_string()),
        }
    }
    let mut listed: Vec<String> = Vec::new();
    for text in removed {
        if !listed
            .iter()
            .any(|other| other.to_lowercase() == text.to_lowercase())
        {
            listed.push(text);
        }
    }
    (text_of(&kept), listed)
}

/// Returns the text of a query without one of its items, and that item: for each of the first items
/// with words, unless it is the only one.
pub(crate) fn without_items(tokens: &[Token], limit: usize) -> Vec<(String, String)> {
    let items = top_level_items(tokens);
    let droppable: Vec<&[Token]> = items
        .iter()
        .copied()
        .filter(|item| has_words(item))
        .collect();
    if droppable.len() < 2 {
        return Vec::new();
    }
    let without = |left_out: &&[Token]| {
        let kept = items.iter().filter(|item| !std::ptr::eq(**item, *left_out));
        let kept: Vec<Token> = kept.copied().flatten().cloned().collect();
        (text_of(&kept), text_of(left_out))
    };
    droppable.iter().take(limit).map(without).collect()
}

/// Whether an item is not only a qualifier, and not excluded.
fn has_words(item: &[Token]) -> bool {
    let is_word = |token: &Token| matches!(token.kind, TokenKind::Word(_) | TokenKind::Phrase(_));
    item.first()
        .is_some_and(|first| !first.negated || item.iter().any(|token| token.or))
        && item.iter().any(is_word)
}

/// Splits tokens into the items that must all match: each a token or a group, with its alternatives.
fn top_level_items(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    let mut starts = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Close {
            depth -= 1;
            continue;
        }
        if depth == 0 && !token.or {
            starts.push(index);
        }
        depth += usize::from(token.kind == TokenKind::Open);
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &tokens[*start..end])
        .collect()
}

/// Splits a corrected query into parts, each with whether it differs from the original.
pub fn corrected_parts(original: &str, corrected: &str) -> Vec<(String, bool)> {
    let (Ok(before), Ok(after)) = (tokenize(original), tokenize(corrected)) else {
        return vec![(corrected.to_owned(), false)];
    };
    if before.len() != after.len() {
        return vec![(corrected.to_owned(), false)];
    }
    let pairs = before.iter().zip(&after);
    pairs
        .map(|(before, after)| (after.to_string(), before.kind != after.kind))
        .collect()
}

/// Returns the text without one of its tokens, which has no alternatives.
fn without(text: &str, parsed: &ParsedText, index: usize) -> String {
    let tokens = &parsed.tokens;
    if parsed.differs_from_text {
        let mut rest = tokens.clone();
        rest.remove(index);
        return text_of(&rest);
    }
    let letters: Vec<char> = text.chars().collect();
    let next = tokens.get(index + 1);
    let start = tokens[index].position.saturating_sub(1).min(letters.len());
    let end = next
        .map_or(letters.len(), |next| next.position - 1)
        .clamp(start, letters.len());
    let rest: String = letters[..start].iter().chain(&letters[end..]).collect();
    // An open quote at the end keeps its spaces.
    if next.is_none() {
        rest.trim()
    } else {
        rest.trim_start()
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rests(text: &str) -> Vec<String> {
        qualifiers_of(text)
            .into_iter()
            .map(|qualifier| qualifier.rest)
            .collect()
    }

    #[test]
    fn qualifier_is_cut_out_of_the_text() {
        assert_eq!(
            rests("memory  leak is:open -project:a"),
            ["memory  leak -project:a", "memory  leak is:open"]
        );
        assert_eq!(rests("status:\"In Progress\" crash"), ["crash"]);
        assert_eq!(
            rests("(crash OR -hang) is:open"),
            ["crash OR -hang"],
            "a group is written again"
        );
        assert_eq!(
            rests("NOT (is:open OR status:New) crash"),
            ["-status:New crash", "-is:open crash"]
        );
        assert_eq!(rests("one is:open OR two"), Vec::<String>::new());
        assert_eq!(rests("(is:open crash) OR two"), Vec::<String>::new());
        assert_eq!(rests("é type:wiki \"a b"), ["é \"a b"]);
        assert_eq!(rests("is:"), Vec::<String>::new());
        assert_eq!(rests("https://example.org std::fmt"), Vec::<String>::new());
    }

    #[test]
    fn qualifier_is_added_so_that_nothing_else_changes() {
        for (text, value, expected) in [
            ("crash", "New", Some("crash status:New")),
            ("", "In Progress", Some("status:\"In Progress\"")),
            ("\"a b", "New", Some("status:New \"a b")),
            ("crash OR", "New", Some("status:New crash OR")),
            ("crash", "say \"hi\"", None),
            ("crash", "", None),
            ("is:", "New", None),
            (
                "COULD NOT OPEN FILE",
                "New",
                Some("COULD \"NOT\" OPEN FILE status:New"),
            ),
            ("(crash hang", "New", Some("crash hang status:New")),
        ] {
            let added = with_qualifier(text, Qualifier::Status, value);
            assert_eq!(added.as_deref(), expected, "{text} and {value}");
        }
    }

    #[test]
    fn corrected_words_are_told_from_the_others() {
        let parts = corrected_parts("crahs is:open \"a b\"", "crash is:open \"a b\"");
        assert_eq!(
            parts,
            [
                ("crash".to_owned(), true),
                ("is:open".to_owned(), false),
                ("\"a b\"".to_owned(), false)
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn removing_an_added_qualifier_restores_the_tokens(text in "[a-z:\"*O R-]{0,12}", value in "[a-z \"]{0,6}") {
            if let Some(added) = with_qualifier(&text, Qualifier::Author, &value) {
                let before = without_positions(tokenize(&text).unwrap());
                let is_restored = qualifiers_of(&added).iter().any(|found| {
                    found.qualifier == Qualifier::Author
                        && found.value == value
                        && without_positions(tokenize(&found.rest).unwrap()) == before
                });
                proptest::prop_assert!(is_restored, "{added:?} from {text:?}");
            }
        }
    }
}
