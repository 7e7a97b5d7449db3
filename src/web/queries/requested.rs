//! What the list or the search of a request shows, from which a query is saved.

use super::kinds::list_path;
use crate::prelude::*;
use crate::search;
use quarry_actions::queries::QueryChange;
use quarry_domain::query::issues::TEXT_FILTER;
use quarry_domain::query::saved::{QueryKind, SavedFilter, SavedQuery};
use quarry_domain::query::{columns, issues};
use quarry_domain::values::patch::Patch;
use quarry_http::resources::issue_list::NON_FILTER_PARAMETERS;
use quarry_http::resources::search::params;
use quarry_http::resources::{filters, project_scope};
use std::borrow::Cow;

/// Returns what the list or the search of the request shows, as a new query of this kind, and its
/// path.
pub fn requested(
    request: &RequestContext,
    db: &Read<'_>,
    kind: QueryKind,
) -> Result<(QueryChange, String), Error> {
    match kind {
        QueryKind::Searches => {
            let catalogue = db.catalogue();
            let project = params::project(request, catalogue)?;
            Ok(search::requested(request, catalogue, project))
        }
        _ => {
            let permission = Permission::ViewIssues;
            let project = project_scope::project(request, db.catalogue(), permission)?;
            requested_list(request, db, project)
        }
    }
}

/// Returns what the list of issues of the request shows, and its path.
pub fn requested_list(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<ProjectId>,
) -> Result<(QueryChange, String), Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let saved = filters::find_saved(request, db, QueryKind::Issues, project)?;
    let known = issues::filter_fields(catalogue, viewer, project.is_some());
    let (requested, is_long_form) = filters::to_saved(request, &known, NON_FILTER_PARAMETERS)?;
    let saved_filters = saved.as_ref().and_then(|query| query.filters.as_ref());
    // A filter in the address takes the place of the one by the same field in the query.
    let mut all: Vec<SavedFilter> = saved_filters
        .into_iter()
        .flatten()
        .filter(|filter| {
            known.iter().any(|field| field.name == filter.name)
                && requested.iter().all(|other| other.name != filter.name)
        })
        .cloned()
        .collect();
    all.extend(requested);
    if !is_long_form
        && saved_filters.is_none()
        && all
            .iter()
            .all(|filter| !matches!(filter.name.as_str(), "status_id" | TEXT_FILTER))
    {
        all.push(SavedFilter {
            name: "status_id".to_owned(),
            operator: "o".to_owned(),
            values: Vec::new(),
        });
    }
    let group = request
        .query_param("group_by")
        .filter(|name| !name.trim().is_empty())
        .map(|name| name.trim().to_owned());
    let group = group.or_else(|| saved.as_ref().map(|query| query.group_by.clone()));
    let change = QueryChange {
        filters: Patch::Set(all),
        columns: Patch::Set(displayed_columns(request, catalogue, saved.as_ref())),
        order: Patch::Set(order(request, saved.as_ref(), |name| {
            columns::is_sortable(catalogue, viewer, name)
        })),
        group_by: group
            .filter(|name| columns::is_groupable(catalogue, viewer, name))
            .map_or(Patch::Clear, Patch::Set),
        totals: Patch::Set(displayed_totals(request, catalogue, saved.as_ref())),
        ..QueryChange::default()
    };
    Ok((change, list_path(catalogue, project)))
}

/// Returns the criteria in `sort`, or those of the saved query. As in the list, unknown columns are
/// left out.
pub fn order(
    request: &RequestContext,
    saved: Option<&SavedQuery>,
    is_sortable: impl Fn(&str) -> bool,
) -> Vec<String> {
    let criteria: Vec<String> = match filters::requested_order(request) {
        Some(text) => text
            .split(',')
            .map(|criterion| criterion.trim().to_owned())
            .collect(),
        None => saved
            .map(|query| {
                query
                    .order
                    .iter()
                    .map(|(name, direction)| format!("{name}:{direction}"))
                    .collect()
            })
            .unwrap_or_default(),
    };
    let criteria = criteria.iter().filter_map(|criterion| {
        let (name, direction) = criterion.split_once(':').unwrap_or((criterion, ""));
        is_sortable(name).then(|| {
            format!(
                "{name}:{}",
                if direction == "desc" { "desc" } else { "asc" }
            )
        })
    });
    criteria.take(columns::MAX_CRITERIA).collect()
}

/// Returns the names of the columns that are to be shown; empty for the default ones. Unknown and
/// hidden ones are left out.
pub fn displayed_columns(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&SavedQuery>,
) -> Vec<String> {
    names(request, "c", saved.map(|query| &query.columns), |name| {
        columns::is_column(catalogue, request.viewer(), name)
    })
}

/// Returns the names of the columns whose sums are to be shown. Unknown and hidden ones are left
/// out.
pub fn displayed_totals(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&SavedQuery>,
) -> Vec<String> {
    names(request, "t", saved.map(|query| &query.totals), |name| {
        columns::is_summable(catalogue, request.viewer(), name)
    })
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
