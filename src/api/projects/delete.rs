//! `DELETE /projects/:id` (compatibility 8).

use crate::actions;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Deletes a project with everything in it: 200 without a body, after all of it is deleted.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let clock = Arc::clone(&request.app.clock);
    let reference = request.path_param("id").to_owned();
    let unfinished = request.write(move |db, viewer| {
        actions::projects::delete(db, viewer, &reference, clock.as_ref())
    })?;
    actions::projects::finish_deletion(&request.app.store, unfinished, || false)?;
    Ok(Reply::ok())
}
