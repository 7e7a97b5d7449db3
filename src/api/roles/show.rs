//! `GET /roles/:id` (compatibility 11.2).

use super::view;
use crate::domain::ids::RoleId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns the role with its permissions. Administrators may ask for all fields.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    reply(
        db,
        request.id_param("id")?,
        request.includes_administration()?,
    )
}

/// Returns a role with all fields.
pub(super) fn role_reply(db: &Read<'_>, id: RoleId) -> Result<Reply, Error> {
    reply(db, id, true)
}

fn reply(db: &Read<'_>, id: RoleId, administration: bool) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let role = catalogue.role(id).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("role", move |w| {
        view::role(w, &role);
        if administration {
            view::administration(w, &role, &catalogue);
        }
    }))
}
