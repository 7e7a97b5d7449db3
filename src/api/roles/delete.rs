//! `DELETE /roles/:id`, for administrators (compatibility 14).

use crate::actions::roles;
use crate::domain::ids::RoleId;
use crate::http::{Error, Reply, RequestContext, audit_role};

/// Deletes a role: 204. A builtin role, and one that members have, is 422.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let id: RoleId = request.id_param("id")?;
    request.write(move |db, viewer| roles::delete(db, viewer, id))?;
    audit_role(request, id, "deleted");
    Ok(Reply::no_content())
}
