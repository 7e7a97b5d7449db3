//! `GET /memberships/:id` (compatibility 11.7).

use super::view;
use crate::actions::memberships;
use crate::domain::ids::MembershipId;
use crate::domain::membership::Membership;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, memberships as stored};
use std::sync::Arc;

/// Returns the membership, to everybody who can see its project.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let membership = memberships::find(db, request.viewer(), request.id_param("id")?)?;
    Ok(membership_reply(db, membership))
}

/// Returns a membership after a change, whatever it has done to the rights of the viewer.
pub(super) fn reply_by_id(request: &RequestContext, id: MembershipId) -> Result<Reply, Error> {
    request.app.read(|db| {
        let membership = stored::find(db, id)?.ok_or(Error::NotFound)?;
        Ok(membership_reply(db, membership))
    })
}

fn membership_reply(db: &Read<'_>, membership: Membership) -> Reply {
    let catalogue = Arc::clone(db.catalogue());
    Reply::object("membership", move |w| {
        view::membership(w, &membership, &catalogue)
    })
}
