//! `PUT` and `POST /projects/:id/archive`, `unarchive`, `close`, `reopen`: 204 without a body (compatibility 3.5).

use crate::actions::{ActionError, projects};
use crate::domain::clock::Clock;
use crate::domain::viewer::Viewer;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Write;
use std::sync::Arc;

type Transition = fn(&mut Write<'_>, &Viewer, &str, &dyn Clock) -> Result<(), ActionError>;

/// Archives a project.
pub fn archive(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, |db, viewer, reference, _| projects::archive(db, viewer, reference))
}

/// Unarchives a project.
pub fn unarchive(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, |db, viewer, reference, clock| projects::unarchive(db, viewer, reference, clock))
}

/// Closes a project.
pub fn close(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, |db, viewer, reference, _| projects::close(db, viewer, reference))
}

/// Reopens a closed project.
pub fn reopen(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, |db, viewer, reference, _| projects::reopen(db, viewer, reference))
}

fn apply(request: &RequestContext, transition: Transition) -> Result<Reply, Error> {
    let (clock, reference) = (Arc::clone(&request.app.clock), request.path_param("id").to_owned());
    request.write(move |db, viewer| transition(db, viewer, &reference, clock.as_ref()))?;
    Ok(Reply::no_content())
}
