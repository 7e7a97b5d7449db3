//! `GET /projects/:id`: one project, by id or identifier (compatibility 8).

use super::view::{self, Include, ViewContext};
use crate::actions;
use crate::domain::ids::ProjectId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the project; 403 when the viewer cannot see it, 404 when it does not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id =
        actions::projects::find(db.catalogue(), request.viewer(), request.path_param("id"))?.id;
    if !request.viewer().sees(id) {
        return Err(Error::Forbidden);
    }
    project_reply(request, db, id, Include::from_query(request))
}

/// Returns a project with the rights of the viewer in this snapshot, which a change may have made a
/// member.
pub fn project_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: ProjectId,
    include: Include,
) -> Result<Reply, Error> {
    let project = db
        .catalogue()
        .projects
        .get(&id)
        .ok_or(Error::NotFound)?
        .clone();
    let viewer_context = request.app.viewer_context(
        db.catalogue(),
        request.viewer().user,
        request.viewer().scopes,
    );
    let mut view_context = ViewContext::load(db, &viewer_context, include, vec![id.0])?;
    if !request.redmine_strict(db) {
        view_context = view_context.with_default_query(db, &project)?;
    }
    Ok(Reply::object("project", move |w| {
        view::full_project(w, &project, &view_context)
    }))
}
