//! `POST /projects/:id/memberships` (compatibility 11.7).

use super::{fields, show};
use crate::actions::memberships;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Makes users and groups members of a project: 201 with the membership of the first one and its
/// URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let new = fields::parse_new(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write_in_project(project, move |db, viewer| {
        memberships::create(db, viewer, project, &new, clock.as_ref())
    })?;
    Ok(show::reply_by_id(request, id)?.created(format!("{}/memberships/{id}", request.base_url())))
}
