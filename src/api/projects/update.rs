//! `PUT /projects/:id` (compatibility 8).

use super::show::project_reply;
use super::view;
use crate::actions;
use crate::http::{Error, Reply, RequestContext, project_fields};
use std::sync::Arc;

/// Updates a project: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = project_fields::parse(&request.body)?;
    let clock = Arc::clone(&request.app.clock);
    let reference = request.path_param("id").to_owned();
    let id = request.write(move |db, viewer| {
        actions::projects::update(db, viewer, &reference, &change, clock.as_ref())
    })?;
    request
        .app
        .read(|db| project_reply(request, db, id, view::Include::default()))
}
