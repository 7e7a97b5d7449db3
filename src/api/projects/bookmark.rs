//! `PUT` and `DELETE /projects/:id/bookmark`: 204 without a body (compatibility 13.5).

use crate::actions::{ActionError, projects};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Write;

type Change = fn(&mut Write<'_>, &Viewer, &str) -> Result<String, ActionError>;

/// Bookmarks a project, also when it is bookmarked already.
pub fn add_bookmark(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::add_bookmark)
}

/// Removes the bookmark of a project, if there is one.
pub fn remove_bookmark(request: &RequestContext) -> Result<Reply, Error> {
    apply(request, projects::remove_bookmark)
}

fn apply(request: &RequestContext, change: Change) -> Result<Reply, Error> {
    request.require_user()?;
    let reference = request.path_param("id").to_owned();
    request.write(move |db, viewer| {
        projects::find_with(db.catalogue(), viewer, &reference, Permission::ViewProject)?;
        change(db, viewer, &reference)
    })?;
    Ok(Reply::no_content())
}
