//! A completion, and the number of results that it has.

use crate::resources::search::find::count;
use crate::resources::search::params::SearchParams;
use crate::{Error, RequestContext};
use quarry_domain::values::stable_sort::StableSort;
use quarry_search::with_closed_groups;
use quarry_store::Read;

/// Maximum number of completions.
pub const MAX_COMPLETIONS: usize = 8;

/// Maximum number of values that are counted.
pub const MAX_COUNTED: usize = 2 * MAX_COMPLETIONS;

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

/// Counts the results of completions, each given as its query, its text and its name. Returns the first
/// that have some, those with the most results first; none if what precedes is not valid yet.
pub fn counted(
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
