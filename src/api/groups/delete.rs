//! `DELETE /groups/:id`, for administrators (compatibility 11.2).

use super::fields;
use crate::actions::groups;
use crate::domain::ids::PrincipalId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a group: 200 without a body. Its users lose its memberships.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    let users = request.write(move |db, viewer| groups::delete(db, viewer, id))?;
    fields::audit(request, &users)?;
    Ok(Reply::ok())
}
