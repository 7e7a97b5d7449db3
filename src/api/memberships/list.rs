//! `GET /projects/:id/memberships` (compatibility 11.7).

use super::view;
use crate::actions::memberships;
use crate::domain::membership::Membership;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a page of the memberships of a project, inherited ones too, to everybody who can see the
/// project.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let pagination = Pagination::from_query(&request.query);
    let (memberships, total) = pagination.slice(memberships::list(db, request.viewer(), project)?);
    let meta = pagination.meta(total, memberships.len());
    let describe =
        move |w: &mut _, membership: Membership| view::membership(w, &membership, &catalogue);
    Ok(Reply::list(
        "memberships",
        "membership",
        memberships,
        describe,
        meta,
    ))
}
