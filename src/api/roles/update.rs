//! `PUT /roles/:id`, for administrators (compatibility 14).

use super::fields;
use super::show::role_reply;
use crate::actions::roles;
use crate::domain::ids::RoleId;
use crate::http::{Error, Reply, RequestContext, audit_role};

/// Updates a role: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id: RoleId = request.id_param("id")?;
    request.write(move |db, viewer| roles::update(db, viewer, id, &change))?;
    audit_role(request, id, "updated");
    request.app.read(|db| role_reply(db, id))
}
