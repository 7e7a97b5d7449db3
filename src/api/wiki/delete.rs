//! `DELETE /projects/:project_id/wiki/:title` (compatibility 7).

use super::address;
use crate::actions;
use crate::actions::wiki::Children;
use crate::domain::ids::WikiPageId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes the page and all its versions: 200 without a body. `todo` selects what happens to its
/// child pages.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let children = parse_children(request)?;
    request.write_in_project(project, move |db, viewer| {
        actions::wiki::delete(db, viewer, project, &title, children)
    })?;
    Ok(Reply::ok())
}

/// Parses what happens to child pages. An unknown `todo` is an error and deletes nothing.
fn parse_children(request: &RequestContext) -> Result<Children, Error> {
    let reassign_to = request
        .query_param("reassign_to_id")
        .filter(|text| !text.is_empty());
    let todo = request.query_param("todo").filter(|text| !text.is_empty());
    match (todo.as_deref(), reassign_to) {
        (None, None) | (Some("nullify"), _) => Ok(Children::Nullify),
        (Some("destroy"), _) => Ok(Children::Destroy),
        (None | Some("reassign"), reassign_to) => {
            // No page has the id 0.
            let id = reassign_to.and_then(|text| text.parse().ok()).unwrap_or(0);
            Ok(Children::Reassign(WikiPageId(id)))
        }
        (Some(_), _) => Err(Error::invalid(
            "Todo is not included in the list (nullify, destroy, reassign)",
        )),
    }
}

/// Rejects deleting a single version, which the API does not support (compatibility 7).
pub fn delete_version(request: &RequestContext) -> Result<Reply, Error> {
    address::project(request, &*request.app.store.catalogue()?)?;
    Err(Error::Forbidden)
}
