//! Completions of the qualifier at the end of a query, with the number of results that each has.
//!
//! Invariant: only what the viewer may see is offered, and every count is that of a search by the
//! viewer.

mod candidates;
mod completion;
mod modifiers;
mod typed;

use self::candidates::{Candidate, candidates};
use self::completion::{MAX_COMPLETIONS, MAX_COUNTED, counted};
use self::typed::{Typed, last_token, starts_with};
use super::find::count;
use super::params::SearchParams;
use crate::{Error, RequestContext};
use quarry_domain::values::stable_sort::StableSort;
use quarry_search::{Facet, FacetCounts, Qualifier, is_quote, with_closed_groups};
use quarry_store::Read;

pub use self::completion::Completion;

/// Minimum number of letters of the name of a qualifier that is completed.
const MIN_LETTERS: usize = 2;

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
