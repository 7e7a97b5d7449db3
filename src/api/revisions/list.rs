//! `GET /projects/:id/repository/:repository_id/revisions` (compatibility 13.3).

use super::view;
use crate::actions::repositories;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, changesets};
use std::sync::Arc;

/// Returns a page of the changesets of a repository, newest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = request.path_param("id");
    let repository = request.path_param("repository_id");
    let repository = repositories::find_in_project(db, request.viewer(), project, repository)?;
    let pagination = Pagination::from_query(&request.query);
    let total = changesets::count(db, repository.id)?;
    let page = changesets::list(db, repository.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "changesets",
        "changeset",
        page,
        move |w, changeset| view::changeset(w, &changeset, &repository, &catalogue),
        meta,
    ))
}
