//! `/projects/:id/queries/default`: the query with which the list of a project starts.

use super::list_path;
use crate::access;
use crate::form::field;
use crate::frame::{Flash, FlashKind};
use crate::render::redirect_with;
use quarry_actions::{ActionError, projects, queries};
use quarry_domain::access::permission::Permission;
use quarry_domain::ids::QueryId;
use quarry_domain::projects::project::ProjectChange;
use quarry_domain::query::saved::QueryKind;
use quarry_domain::values::patch::Patch;
use quarry_http::{Error, Reply, RequestContext};

/// `POST`: makes the query in `query_id` the default one; without it the project has none.
pub fn save_default(request: &RequestContext) -> Result<Reply, Error> {
    let query: Option<QueryId> = field(request, "query_id").trim().parse().ok().map(QueryId);
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
        Ok(Some(name)) => Flash::notice(format!("The list starts with {name} now.")),
        Ok(None) => Flash::notice("The list starts without a query now."),
        Err(Error::Invalid(errors)) => Flash {
            kind: FlashKind::Error,
            text: errors.messages().join(". "),
        },
        Err(error) => return Err(error),
    };
    let query = query.map_or("set_filter=1".to_owned(), |id| format!("query_id={id}"));
    Ok(redirect_with(request, format!("{path}?{query}"), &flash))
}
