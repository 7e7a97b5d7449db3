//! `/queries/default` and `/projects/:id/queries/default`: the query with which lists start, for the
//! viewer or for everybody in a project.

use super::kinds::list_path;
use crate::access;
use crate::form::field;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::{projects, queries};
use quarry_domain::ids::QueryId;
use quarry_domain::projects::project::ProjectChange;
use quarry_domain::query::saved::QueryKind;
use quarry_domain::values::patch::Patch;

/// `POST /queries/default`: makes the query in `query_id` the default one of the viewer, who has none
/// without it.
pub fn save_user_default(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let id = query_id(request);
    let saved = request.write(move |db, viewer| {
        queries::set_user_default(db, viewer, id)
            .map(|query| query.map(|query| (query.project, query.name)))
    });
    let (project, text) = match access::found(request, saved)? {
        Some((project, name)) => (project, format!("{name} is now your default query.")),
        None => (None, "You no longer have a default query.".to_owned()),
    };
    let catalogue = request.app.store.catalogue()?;
    let path = list_path(&catalogue, project);
    let flash = Flash::notice(text);
    Ok(redirect_with(
        request,
        format!("{path}?{}", parameter(id)),
        &flash,
    ))
}

fn query_id(request: &RequestContext) -> Option<QueryId> {
    field(request, "query_id").trim().parse().ok().map(QueryId)
}

/// Returns the query string of a list with this query, or without one.
fn parameter(query: Option<QueryId>) -> String {
    query.map_or("set_filter=1".to_owned(), |id| format!("query_id={id}"))
}

/// `POST`: makes the query in `query_id` the default one; without it the project has none.
pub fn save_project_default(request: &RequestContext) -> Result<Reply, Error> {
    let query = query_id(request);
    let (project, path) = request.app.read(|db| -> Result<_, Error> {
        let catalogue = db.catalogue();
        let project = access::managed_project(request, catalogue, Permission::EditProject)?;
        Ok((project.id, list_path(catalogue, Some(project.id))))
    })?;
    let change = ProjectChange {
        default_query: query.map_or(Patch::Clear, Patch::Set),
        ..ProjectChange::default()
    };
    let saved = request.write(move |db, viewer| -> Result<Option<String>, ActionError> {
        let query = query
            .map(|id| queries::find(db, viewer, &[QueryKind::Issues], id))
            .transpose()?;
        projects::update(db, viewer, &project.to_string(), &change)?;
        Ok(query.map(|query| query.name))
    });
    let flash = match saved {
        Ok(Some(name)) => Flash::notice(format!("{name} is now the default query of the project.")),
        Ok(None) => Flash::notice("The project no longer has a default query."),
        Err(Error::Invalid(errors)) => Flash::error(errors.messages().join(". ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(
        request,
        format!("{path}?{}", parameter(query)),
        &flash,
    ))
}
