//! Queries in the language of searches.

use quarry::search::{
    IndexConfig, ParsedQuery, Token, corrected_parts, normalized, qualifiers_of, tokenize,
};
use std::sync::LazyLock;

static CONFIG: LazyLock<IndexConfig> = LazyLock::new(|| IndexConfig::embedded().unwrap());

/// Panics if the text of a parsed query does not have the same tokens.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(tokens) = tokenize(text) else {
        return;
    };
    let typed: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let again = tokenize(&typed.join(" ")).unwrap();
    let kinds = |tokens: &[Token]| {
        let kinds = tokens
            .iter()
            .map(|token| (token.negated, token.kind.clone()));
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(kinds(&again), kinds(&tokens));
    qualifiers_of(text);
    corrected_parts(text, text);
    if let Ok(query) = ParsedQuery::parse(text, &CONFIG.bounds) {
        for word in query.words.iter().chain(&query.excluded) {
            normalized(word);
        }
    }
}
