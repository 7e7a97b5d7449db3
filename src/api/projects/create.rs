//! `POST /projects` (compatibility 8).

use super::show::project_reply;
use super::view;
use crate::actions;
use crate::http::{Error, Reply, RequestContext, project_fields};
use std::sync::Arc;

/// Creates a project: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = project_fields::parse(&request.body)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request
        .write(move |db, viewer| actions::projects::create(db, viewer, &change, clock.as_ref()))
        .map_err(Error::by_framework)?;
    let reply = request
        .app
        .read(|db| project_reply(request, db, id, view::Include::default()))?;
    Ok(reply.created(format!("{}/projects/{id}", request.base_url())))
}
