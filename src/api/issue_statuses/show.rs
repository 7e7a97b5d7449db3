//! `GET /issue_statuses/:id`, for administrators (compatibility 14).

use super::view;
use crate::domain::ids::StatusId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a status.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    status_reply(db, request.id_param("id")?)
}

/// Returns a status with all fields.
pub(super) fn status_reply(db: &Read<'_>, id: StatusId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let status = catalogue.status(id).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("issue_status", move |w| {
        view::status(w, &status);
        view::administration(w, &status, &catalogue);
    }))
}
