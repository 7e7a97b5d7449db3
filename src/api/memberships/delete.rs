//! `DELETE /memberships/:id` (compatibility 11.7).

use crate::actions::memberships;
use crate::domain::ids::MembershipId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a membership: 200 without a body. An inherited one is a 422.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: MembershipId = request.id_param("id")?;
    request
        .write(move |db, viewer| memberships::delete(db, viewer, id))
        .map_err(Error::for_deletion)?;
    Ok(Reply::ok())
}
