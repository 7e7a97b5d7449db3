//! `POST /time_entries`, `POST /projects/:id/time_entries`, `POST /issues/:id/time_entries`
//! (compatibility 9).

use super::fields;
use super::view::{self, ViewContext};
use crate::actions::time_entries::{self, LogTarget};
use crate::domain::ids::IssueId;
use crate::domain::viewer::Viewer;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Write;
use std::sync::Arc;

/// Creates a time entry, in the project of the path or of the body: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let target = match request.path_param("id") {
        "" => LogTarget::Requested,
        reference => LogTarget::Project(
            request
                .app
                .store
                .catalogue()?
                .project_by(reference)
                .ok_or(Error::NotFound)?
                .id,
        ),
    };
    create_in(request, target)
}

/// Creates a time entry on the issue of the path.
pub fn create_on_issue(request: &RequestContext) -> Result<Reply, Error> {
    let created = request
        .id_param("id")
        .and_then(|issue: IssueId| create_in(request, LogTarget::Issue(issue)));
    created.map_err(Error::by_framework)
}

fn create_in(request: &RequestContext, target: LogTarget) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let create = move |db: &mut Write<'_>, viewer: &Viewer| {
        time_entries::create(db, viewer, target, &change, clock.as_ref())
    };
    let entry = match target {
        LogTarget::Project(project) => request.write_in_project(project, create),
        LogTarget::Requested | LogTarget::Issue(_) => request.write(create),
    }?;
    let view_context = request
        .app
        .read(|db| ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry)))?;
    let location = format!("{}/time_entries/{}", request.base_url(), entry.id);
    Ok(Reply::object("time_entry", move |w| {
        view::time_entry(w, &entry, &view_context)
    })
    .created(location))
}
