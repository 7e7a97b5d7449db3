//! `PUT` and `POST /projects/:id/archive`, `unarchive`, `close`, `reopen`: 204 without a body
//! (compatibility 3.5).

use crate::actions::{ActionError, projects};
use crate::domain::viewer::Viewer;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Write;

type Transition = fn(&mut Write<'_>, &Viewer, &str) -> Result<(), ActionError>;

/// Archives a project.
pub fn archive(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::archive)
}

/// Unarchives a project.
pub fn unarchive(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::unarchive)
}

/// Closes a project.
pub fn close(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::close)
}

/// Reopens a closed project.
pub fn reopen(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::reopen)
}

fn apply(request: &RequestContext, transition: Transition) -> Result<Reply, Error> {
    let reference = request.path_param("id").to_owned();
    request.write(move |db, viewer| transition(db, viewer, &reference))?;
    Ok(Reply::no_content())
}
