//! Saved queries on the pages of issue lists: choosing, saving and deleting them (compatibility
//! 13.7). Saved searches have the same forms.

mod address;
mod default;
mod form;
mod menu;
mod settings;

pub use address::{BASED_ON, ListAddress};
pub use default::{save_project_default, save_user_default};
pub use form::{create, edit, new, save_edit};
pub use menu::QueryMenu;
pub use settings::{confirm, list};

use crate::access;
use crate::frame::Flash;
use crate::render::redirect_with;
use crate::search;
use quarry_actions::queries;
use quarry_actions::queries::QueryChange;
use quarry_domain::access::permission::Permission;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{ProjectId, QueryId};
use quarry_domain::query::saved::{QueryKind, SavedFilter, SavedQuery};
use quarry_domain::query::{columns, issues, sort};
use quarry_domain::values::patch::Patch;
use quarry_http::resources::issue_list::NON_FILTER_PARAMETERS;
use quarry_http::resources::search::params;
use quarry_http::resources::{filters, paths, project_scope};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;
use std::borrow::Cow;

/// The kinds of queries that have pages.
const KINDS: [QueryKind; 2] = [QueryKind::Issues, QueryKind::Searches];

/// Returns the kind of the query that is saved, which `type` names.
fn kind(request: &RequestContext) -> QueryKind {
    match request.query_param("type") {
        Some(name) if name == QueryKind::Searches.name() => QueryKind::Searches,
        _ => QueryKind::Issues,
    }
}

/// Returns the word for a query of this kind.
fn noun(kind: QueryKind) -> &'static str {
    match kind {
        QueryKind::Searches => "search",
        _ => "query",
    }
}

/// `POST /queries/:id`: replaces what the query says by the list, or the search, that the query
/// string describes.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let (query, shown, path) = access::found(
        request,
        request.app.read(|db| -> Result<_, Error> {
            let query = queries::find(db, request.viewer(), &KINDS, id)?;
            let (shown, _) = match query.kind {
                QueryKind::Searches => search::requested(request, db.catalogue(), query.project),
                _ => requested_list(request, db, query.project)?,
            };
            let path = path(db.catalogue(), &query);
            Ok((query, shown, path))
        }),
    )?;
    let outcome = request.write(move |db, viewer| queries::update(db, viewer, &KINDS, id, &shown));
    let location = format!("{path}?query_id={id}");
    let flash = match outcome {
        Ok(()) if query.kind == QueryKind::Searches => {
            Flash::notice(format!("The search {} was updated.", query.name))
        }
        Ok(()) => Flash::notice(format!("The query {} shows this list now.", query.name)),
        Err(Error::Invalid(errors)) => Flash::error(errors.messages().join(". ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, location, &flash))
}

/// Returns what the list or the search of the request shows, as a new query of this kind, and its
/// path.
fn requested(
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

fn requested_list(
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
        && all.iter().all(|filter| filter.name != "status_id")
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
        .map(std::borrow::Cow::into_owned);
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
    let requested = request
        .query_param("sort")
        .filter(|text| !text.trim().is_empty());
    let criteria: Vec<String> = match &requested {
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
    criteria.take(sort::MAX_CRITERIA).collect()
}

/// `POST /queries/:id/delete`.
///
/// Deletes the query and leads to the list in which it was used.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let deleted = request.write(move |db, viewer| {
        let query = queries::find(db, viewer, &KINDS, id)?;
        let path = path(db.catalogue(), &query);
        queries::delete(db, viewer, &KINDS, id).map(|()| (query, path))
    });
    let (query, path) = deleted?;
    let message = format!("The {} {} was deleted.", noun(query.kind), query.name);
    Ok(redirect_with(request, path, &Flash::notice(message)))
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

/// Returns the path of the list of the issues of a project, or of all with `None`.
pub fn list_path(catalogue: &Catalogue, project: Option<ProjectId>) -> String {
    path_of_kind(catalogue, QueryKind::Issues, project)
}

/// Returns the path of the page that a query changes: the list of issues, or the search.
fn path(catalogue: &Catalogue, query: &SavedQuery) -> String {
    path_of_kind(catalogue, query.kind, query.project)
}

fn path_of_kind(catalogue: &Catalogue, kind: QueryKind, project: Option<ProjectId>) -> String {
    let page = match kind {
        QueryKind::Searches => "search",
        _ => "issues",
    };
    let project = project.and_then(|project| catalogue.projects.get(&project));
    let project = project.map(paths::project).unwrap_or_default();
    format!("{project}/{page}")
}
