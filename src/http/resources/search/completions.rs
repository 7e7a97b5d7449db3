//! Completions of the qualifier at the end of a query, with the number of results that each has.
//!
//! Invariant: only what the viewer may see is offered, and every count is that of a search by the
//! viewer.

mod candidates;
mod modifiers;

use self::candidates::{Candidate, candidates};
use super::find::count;
use super::params::SearchParams;
use crate::{Error, RequestContext};
use quarry_domain::values::stable_sort::StableSort;
use quarry_search::{
    Facet, FacetCounts, Qualifier, Token, TokenKind, is_quote, tokenize, with_closed_groups,
};
use quarry_store::Read;

/// Maximum number of completions.
const MAX_COMPLETIONS: usize = 8;

/// Minimum number of letters of the name of a qualifier that is completed.
const MIN_LETTERS: usize = 2;

/// A completion.
pub struct Completion {
    /// The completed query.
    pub query: String,
    /// The qualifier, as it stands in the query.
    pub text: String,
    /// The name of what it stands for; empty if that is its value.
    pub name: String,
    /// The number of results of the query; `None` for a qualifier that still needs a value.
    pub count: Option<i64>,
}

/// The token at the end of a query.
struct Typed<'q> {
    before: &'q str,
    is_negated: bool,
    text: &'q str,
}

/// Returns the completions of the end of a query, those with the most results first.
pub fn completions(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    query: &str,
) -> Result<Vec<Completion>, Error> {
    let typed = last_token(query);
    let Some((name, value)) = typed.text.split_once(':') else {
        let mut completions = modifiers::names(&typed);
        completions.extend(names(&typed));
        return Ok(completions);
    };
    if let Some(completions) = modifiers::values(request, db, params, &typed)? {
        return Ok(completions);
    }
    let Some(qualifier) = Qualifier::parse(name) else {
        return Ok(Vec::new());
    };
    let prefix = value.replace(is_quote, "").to_lowercase();
    let mut candidates = candidates(request, db.catalogue(), qualifier, &prefix);
    candidates.retain(|candidate| {
        starts_with(&candidate.value, &prefix) || starts_with(&candidate.name, &prefix)
    });
    rank(request, db, params, &typed, qualifier, &mut candidates)?;
    // The names of custom fields still need a value.
    let is_field =
        |candidate: &Candidate| qualifier == Qualifier::Field && candidate.value.ends_with('=');
    let fields = candidates.iter().filter(|candidate| is_field(candidate));
    let mut completions: Vec<Completion> = fields
        .filter_map(|field| typed.completed(qualifier, &field.value))
        .take(MAX_COMPLETIONS)
        .map(|(query, text)| Completion {
            query,
            text,
            name: String::new(),
            count: None,
        })
        .collect();
    candidates.retain(|candidate| !is_field(candidate));
    let texts = candidates.into_iter().filter_map(|candidate| {
        let (query, text) = typed.completed(qualifier, &candidate.value)?;
        Some((query, text, candidate.name))
    });
    completions.extend(counted(request, db, params, texts)?);
    Ok(completions)
}

/// Counts the results of completions, each given as its query, its text and its name. Returns the first
/// that have some, those with the most results first; none if what precedes is not valid yet.
fn counted(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    texts: impl Iterator<Item = (String, String, String)>,
) -> Result<Vec<Completion>, Error> {
    let mut completions = Vec::new();
    for (query, text, name) in texts {
        let count = match count(request, db, params, &with_closed_groups(&query)) {
            Ok(found) => found.total,
            Err(Error::Invalid(_) | Error::InvalidQuery(_)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if count == 0 {
            continue;
        }
        completions.push(Completion {
            query,
            text,
            name,
            count: Some(count),
        });
        if completions.len() == MAX_COMPLETIONS {
            break;
        }
    }
    completions.stable_sort_by_key(|completion| std::cmp::Reverse(completion.count));
    Ok(completions)
}

/// Maximum number of values that are counted.
const MAX_COUNTED: usize = 2 * MAX_COMPLETIONS;

/// Sorts values by their number of results without this qualifier, and keeps the first ones.
fn rank(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    typed: &Typed<'_>,
    qualifier: Qualifier,
    candidates: &mut Vec<Candidate>,
) -> Result<(), Error> {
    candidates.stable_sort_by_key(|candidate| candidate.value.to_lowercase());
    candidates.dedup_by(|a, b| {
        let is_same = a.value.to_lowercase() == b.value.to_lowercase();
        if is_same {
            b.ids.append(&mut a.ids);
        }
        is_same
    });
    let facet = match qualifier {
        Qualifier::Type => Some(Facet::Type),
        Qualifier::Project => Some(Facet::Project),
        Qualifier::Status => Some(Facet::Status),
        Qualifier::Tracker => Some(Facet::Tracker),
        Qualifier::Author => Some(Facet::Author),
        _ => None,
    };
    if candidates.len() > MAX_COMPLETIONS
        && let Some(facet) = facet
        && let Some(query) = candidates
            .first()
            .and_then(|first| typed.positive(qualifier, &first.value))
    {
        let params = SearchParams {
            facets: vec![facet],
            ignored: Some(qualifier),
            ..params.clone()
        };
        match count(request, db, &params, &with_closed_groups(&query)) {
            Ok(found) => {
                let counts = found.facets.into_iter().next().map(|(_, counts)| counts);
                let counts = counts.unwrap_or_default();
                candidates
                    .stable_sort_by_key(|candidate| std::cmp::Reverse(total(candidate, &counts)));
            }
            Err(Error::Invalid(_) | Error::InvalidQuery(_)) => {}
            Err(error) => return Err(error),
        }
    }
    candidates.truncate(MAX_COUNTED);
    Ok(())
}

fn total(candidate: &Candidate, counts: &FacetCounts) -> u64 {
    let ids = candidate.ids.iter();
    ids.filter_map(|id| counts.get(id)).sum()
}

/// Returns the qualifiers whose names start like this.
fn names(typed: &Typed<'_>) -> Vec<Completion> {
    if typed.text.chars().count() < MIN_LETTERS {
        return Vec::new();
    }
    let qualifiers = Qualifier::ALL.iter();
    qualifiers
        .filter(|qualifier| qualifier.name().starts_with(typed.text))
        .map(|qualifier| {
            let text = format!("{}{}:", typed.sign(), qualifier.name());
            Completion {
                query: typed.after(&text),
                text,
                name: qualifier.expects().to_owned(),
                count: None,
            }
        })
        .collect()
}

/// Returns the token at the end of a query; an empty one after a space.
fn last_token(query: &str) -> Typed<'_> {
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

impl Typed<'_> {
    fn sign(&self) -> &'static str {
        if self.is_negated { "-" } else { "" }
    }

    fn after(&self, text: &str) -> String {
        format!("{}{text}", self.before)
    }

    /// Returns the query that ends with this qualifier, and the text of that; `None` if the language
    /// cannot express the value.
    fn completed(&self, qualifier: Qualifier, value: &str) -> Option<(String, String)> {
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

    fn positive(&self, qualifier: Qualifier, value: &str) -> Option<String> {
        let positive = Typed {
            before: self.before,
            is_negated: false,
            text: self.text,
        };
        positive.completed(qualifier, value).map(|(query, _)| query)
    }
}

/// Whether a value or one of its words starts like this.
fn starts_with(value: &str, prefix: &str) -> bool {
    let value = value.to_lowercase();
    value.starts_with(prefix)
        || value
            .split_whitespace()
            .any(|word| word.starts_with(prefix))
}
