//! Completions of `by:` and `on:`, which follow `was:` and `changed:`.

use super::candidates::candidates;
use super::completion::{Completion, MAX_COUNTED, counted};
use super::typed::{Typed, starts_with};
use crate::resources::search::params::SearchParams;
use crate::{Error, RequestContext};
use quarry_domain::values::stable_sort::StableSort;
use quarry_search::{Qualifier, TokenKind, is_quote, tokenize, with_closed_groups};
use quarry_store::Read;

/// What may follow a change, with a qualifier that has the same values, and what it says.
const MODIFIERS: [(&str, Qualifier, &str); 2] = [
    ("by:", Qualifier::Commenter, "who made the change"),
    ("on:", Qualifier::Updated, "when the change was made"),
];

/// Returns the modifiers that start with the typed text; none where no change precedes it.
pub(super) fn names(typed: &Typed<'_>) -> Vec<Completion> {
    if typed.text.is_empty() || typed.is_negated {
        return Vec::new();
    }
    let possible = possible(typed).into_iter();
    possible
        .filter(|(modifier, ..)| modifier.starts_with(typed.text))
        .map(|(modifier, _, meaning)| Completion {
            query: typed.after(modifier),
            text: modifier.to_owned(),
            name: meaning.to_owned(),
            count: None,
        })
        .collect()
}

/// Returns the values of the modifier that is typed; `None` if it is none.
pub(super) fn values(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    typed: &Typed<'_>,
) -> Result<Option<Vec<Completion>>, Error> {
    let mut possible = possible(typed).into_iter();
    let typed_modifier = possible.find(|(modifier, ..)| typed.text.starts_with(modifier));
    let Some((modifier, qualifier, _)) = typed_modifier.filter(|_| !typed.is_negated) else {
        return Ok(None);
    };
    let prefix = typed.text[modifier.len()..]
        .replace(is_quote, "")
        .to_lowercase();
    let mut values = candidates(request, db.catalogue(), qualifier, &prefix);
    values.retain(|candidate| starts_with(&candidate.value, &prefix));
    values.stable_sort_by_key(|candidate| candidate.value.to_lowercase());
    values.truncate(MAX_COUNTED);
    let texts = values.into_iter().map(|candidate| {
        let value = candidate.value;
        let text = match value.contains(char::is_whitespace) {
            true => format!("{modifier}\"{value}\""),
            false => format!("{modifier}{value}"),
        };
        (typed.after(&text), text, String::new())
    });
    counted(request, db, params, texts).map(Some)
}

/// Returns the modifiers that the change before the typed text does not have yet.
fn possible(typed: &Typed<'_>) -> Vec<(&'static str, Qualifier, &'static str)> {
    let before = typed.before.trim_end();
    let tokens = tokenize(&with_closed_groups(before)).unwrap_or_default();
    let mut from_end = tokens.iter().rev();
    let last = from_end.find(|token| token.kind != TokenKind::Close);
    let Some(TokenKind::Qualifier(Qualifier::Was | Qualifier::Changed, value)) =
        last.map(|token| &token.kind)
    else {
        return Vec::new();
    };
    let is_possible =
        |modifier: &str| !before.ends_with(')') && !value.contains(&format!(" {modifier}"));
    let possible = MODIFIERS.into_iter();
    possible
        .filter(|(modifier, ..)| is_possible(modifier))
        .collect()
}
