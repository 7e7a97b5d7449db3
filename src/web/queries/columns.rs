//! The columns and totals of a list: those in the address, or else those of the saved query in use.

use crate::domain::catalogue::Catalogue;
use crate::domain::query::columns;
use crate::domain::query::saved::SavedQuery;
use crate::http::RequestContext;
use crate::wire::Input;
use std::borrow::Cow;

/// Returns the names of the columns that are to be shown; empty for the default ones. Unknown and
/// hidden ones are left out.
pub fn columns(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&SavedQuery>,
) -> Vec<String> {
    let is_known = |name: &str| columns::is_column(catalogue, request.viewer(), name);
    names(request, "c", saved.map(|query| &query.columns), is_known)
}

/// Returns the names of the columns whose sums are to be shown. Unknown and hidden ones are left
/// out.
pub fn totals(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&SavedQuery>,
) -> Vec<String> {
    let is_known = |name: &str| columns::is_summable(catalogue, request.viewer(), name);
    names(request, "t", saved.map(|query| &query.totals), is_known)
}

/// Returns the names in a parameter, or those of the saved query, each once.
fn names(
    request: &RequestContext,
    parameter: &str,
    saved: Option<&Vec<String>>,
    is_known: impl Fn(&str) -> bool,
) -> Vec<String> {
    let requested = request.query.get(parameter).and_then(Input::as_list);
    let requested = requested.map(|names| {
        names
            .iter()
            .filter_map(Input::as_text)
            .map(Cow::into_owned)
            .collect::<Vec<String>>()
    });
    let names = requested.or_else(|| saved.cloned()).unwrap_or_default();
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(&name) && is_known(&name) {
            known.push(name);
        }
    }
    known
}
