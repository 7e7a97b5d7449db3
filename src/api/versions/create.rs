//! `POST /projects/:id/versions` (compatibility 11.8).

use super::{fields, show};
use crate::actions::versions;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a version: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write_in_project(project, move |db, viewer| {
        versions::create(db, viewer, project, &change, clock.as_ref())
    })?;
    Ok(show::reply_by_id(request, id)?.created(format!("{}/versions/{id}", request.base_url())))
}
