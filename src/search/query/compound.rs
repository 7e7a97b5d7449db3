//! Compound words that are written as one word or as two: `tableview` and `table view`.
//!
//! A word also matches each of its two halves in a row, and each of two neighbours also matches
//! both joined. No dictionary decides which words are compounds: a spelling that no record has
//! finds nothing. So hidden records have no influence on what is found.

use super::token::{Token, TokenKind};
use super::word::{QueryTerm, Word};
use crate::analyzer::Tokens;

/// Minimum number of letters of each half. Shorter words mostly follow each other by chance.
const MIN_HALF: usize = 3;
/// Maximum number of letters of a compound, which bounds the number of its spellings.
const MAX_LEN: usize = 30;

/// Adds the other spellings of each word and of each pair of neighbours. `tokens` are those of the
/// query.
pub(super) fn add_spellings(words: &mut [Word], tokens: &[Token]) {
    for word in words.iter_mut() {
        add_halves(word);
        word.alternatives.iter_mut().for_each(add_halves);
    }
    for pair in 1..tokens.len() {
        let (Some(first), Some(second)) = (joinable(tokens, pair - 1), joinable(tokens, pair))
        else {
            continue;
        };
        let Some(joined) = join(&first, &second) else {
            continue;
        };
        for word in words
            .iter_mut()
            .filter(|word| word.has_same_text(&first) || word.has_same_text(&second))
        {
            // The same pair may occur many times in a long text.
            if !word.spellings.contains(&joined) {
                word.spellings.push(joined.clone());
            }
        }
    }
}

/// Adds the spellings of a word as two, and those of a word with separators as one.
pub(super) fn add_halves(word: &mut Word) {
    word.spellings = split(word);
    word.spellings.extend(without_separators(word));
    word.spellings.extend(with_separators(word));
}

/// Returns the spelling without separators of a word that has some: `tableview` for `table-view`.
fn without_separators(word: &Word) -> Option<Vec<QueryTerm>> {
    // In the index, a word that was written without separators is stemmed.
    let joined = match (word.variants.last()?.as_slice(), word.parts.as_slice()) {
        _ if word.prefix => return None,
        ([whole], _) if word.variants.len() > 1 && is_lowercase(&whole.unstemmed) => {
            vec![term(&whole.unstemmed, 0)?]
        }
        (_, [first, second]) => join(first, second)?,
        _ => return None,
    };
    (!word.variants.contains(&joined)).then_some(joined)
}

/// Returns the spelling that matches a word with separators, whose joined term is not stemmed:
/// `node.js` for `nodejs`.
fn with_separators(word: &Word) -> Option<Vec<QueryTerm>> {
    let whole = word.variants.last().filter(|_| !word.prefix)?;
    let [whole] = whole.as_slice() else {
        return None;
    };
    (whole.term != whole.unstemmed).then(|| {
        let term = whole.unstemmed.clone();
        vec![QueryTerm {
            term,
            ..whole.clone()
        }]
    })
}

fn is_lowercase(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns the spellings of a word as two: two terms in a row each.
fn split(word: &Word) -> Vec<Vec<QueryTerm>> {
    let Some(text) = simple_text(word) else {
        return Vec::new();
    };
    let halves =
        (MIN_HALF..=text.len().saturating_sub(MIN_HALF)).map(|middle| text.split_at(middle));
    halves
        .filter_map(|(first, second)| Some(vec![term(first, 0)?, term(second, 1)?]))
        .collect()
}

/// Returns the spelling of two words as one.
fn join(first: &Word, second: &Word) -> Option<Vec<QueryTerm>> {
    let text = format!("{}{}", simple_text(first)?, simple_text(second)?);
    if text.len() > MAX_LEN {
        return None;
    }
    Some(vec![term(&text, 0)?])
}

/// Returns the word at a token that may be half of a compound: neither negated nor an alternative.
fn joinable(tokens: &[Token], index: usize) -> Option<Word> {
    let token = tokens.get(index)?;
    let has_alternatives = token.or || tokens.get(index + 1).is_some_and(|next| next.or);
    match &token.kind {
        TokenKind::Word(text) if !token.negated && !has_alternatives && !text.ends_with('*') => {
            Word::from_tokens(&Tokens::all(text))
        }
        _ => None,
    }
}

/// Returns the text of a word of ASCII letters that is long enough for a half.
fn simple_text(word: &Word) -> Option<&str> {
    let [variant] = word.variants.as_slice() else {
        return None;
    };
    let [term] = variant.as_slice() else {
        return None;
    };
    let text = term.unstemmed.as_str();
    let is_simple = (MIN_HALF..=MAX_LEN).contains(&text.len()) && is_lowercase(text);
    (is_simple && !word.prefix).then_some(text)
}

fn term(text: &str, offset: usize) -> Option<QueryTerm> {
    let tokens = Tokens::all(text);
    let [token] = tokens.as_slice() else {
        return None;
    };
    Some(QueryTerm {
        offset,
        term: token.term.clone(),
        unstemmed: token.unstemmed.clone(),
        exact: token.exact_term(),
    })
}
