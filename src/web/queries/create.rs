//! `POST /queries`, `POST /projects/:id/queries`: saves the list that the query string describes.

use super::columns as list_columns;
use super::menu::list_path;
use crate::actions::queries::{self, QueryChange};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::query::saved::{QueryKind, SavedFilter, SavedQuery};
use crate::domain::query::{columns, issues, sort};
use crate::http::issue_list::NON_FILTER_PARAMETERS;
use crate::http::{Error, Reply, RequestContext, filters, project_scope};
use crate::store::Read;
use crate::web::access;
use crate::web::components::pager::with_params;
use crate::web::form::{field, is_checked};
use crate::web::frame::{Flash, FlashKind};
use crate::web::render::redirect_with;
use std::sync::Arc;

/// Saves the query and leads to its list. A message of the list page tells what is wrong.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (change, path) = access::found(request, request.app.read(|db| requested(request, db)))?;
    let name = field(request, "name");
    let clock = Arc::clone(&request.app.clock);
    match request.write(move |db, viewer| queries::create(db, viewer, &change, clock.as_ref())) {
        Ok(id) => Ok(redirect_with(
            request,
            format!("{path}?query_id={id}"),
            &Flash::notice(format!("The query {} is saved.", name.trim())),
        )),
        Err(Error::Invalid(messages)) => {
            let flash = Flash {
                kind: FlashKind::Error,
                text: messages.join(". "),
            };
            Ok(redirect_with(
                request,
                format!("{path}{}", with_params(request, &[("project_id", None)])),
                &flash,
            ))
        }
        Err(error) => Err(error),
    }
}

/// Returns the query that the request describes, and the path of its list.
fn requested(request: &RequestContext, db: &Read<'_>) -> Result<(QueryChange, String), Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = project_scope::project(request, catalogue, Permission::ViewIssues)?;
    let saved = filters::find_saved(request, db, QueryKind::Issues, project)?;
    let known = issues::filter_fields(catalogue, viewer, project.is_some());
    let (requested, is_long_form) = filters::to_saved(request, &known, NON_FILTER_PARAMETERS)?;
    let saved_filters = saved.as_ref().and_then(|query| query.filters.as_ref());
    // A filter in the address takes the place of the one by the same field in the query.
    let is_kept = |filter: &&SavedFilter| {
        known.iter().any(|field| field.name == filter.name)
            && requested.iter().all(|other| other.name != filter.name)
    };
    let mut all: Vec<SavedFilter> = saved_filters
        .into_iter()
        .flatten()
        .filter(is_kept)
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
        name: Patch::Set(field(request, "name")),
        visibility: Patch::Set(
            if is_checked(request, "is_public") {
                "public"
            } else {
                "private"
            }
            .to_owned(),
        ),
        project: project.map_or(Patch::Clear, |project| Patch::Set(project.to_string())),
        filters: Patch::Set(all),
        columns: Patch::Set(list_columns::columns(request, catalogue, saved.as_ref())),
        order: Patch::Set(order(request, saved.as_ref(), |name| {
            columns::is_sortable(catalogue, viewer, name)
        })),
        group_by: group
            .filter(|name| columns::is_groupable(catalogue, viewer, name))
            .map_or(Patch::Clear, Patch::Set),
        totals: Patch::Set(list_columns::totals(request, catalogue, saved.as_ref())),
        ..QueryChange::default()
    };
    Ok((change, list_path(catalogue, project)))
}

/// Returns the criteria in `sort`, or those of the saved query. As in the list, unknown columns are
/// left out.
fn order(
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
