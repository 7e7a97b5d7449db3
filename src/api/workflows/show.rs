//! `GET /workflows?role_id=&tracker_id=`, for administrators (compatibility 14).

use super::{fields, view};
use crate::domain::ids::{RoleId, TrackerId};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns the workflow of a tracker and a role.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    workflow_reply(db, fields::tracker_and_role(request)?)
}

/// Returns the workflow as it is now.
pub(super) fn workflow_reply(
    db: &Read<'_>,
    (tracker, role): (TrackerId, RoleId),
) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let tracker = catalogue.tracker(tracker).ok_or(Error::NotFound)?.clone();
    let role = catalogue.role(role).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("workflow", move |w| {
        view::workflow(w, &tracker, &role, &catalogue)
    }))
}
