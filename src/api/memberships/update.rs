//! `PUT /memberships/:id` (compatibility 11.7).

use super::{fields, show};
use crate::actions::memberships;
use crate::domain::ids::MembershipId;
use crate::http::{Error, Reply, RequestContext};

/// Replaces the roles of a membership: 200 with its new state. A body without `membership` changes
/// nothing.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: MembershipId = request.id_param("id")?;
    let roles = fields::parse_roles(request)?;
    request.write(move |db, viewer| match roles {
        Some(roles) => memberships::update(db, viewer, id, &roles),
        None => memberships::find_managed(db, viewer, id).map(drop),
    })?;
    show::reply_by_id(request, id)
}
