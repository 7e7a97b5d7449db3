//! `DELETE /issue_statuses/:id`, for administrators (compatibility 14).

use crate::actions::issue_statuses;
use crate::domain::ids::StatusId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a status: 204. A status in use is 422.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let id: StatusId = request.id_param("id")?;
    request.write(move |db, viewer| issue_statuses::delete(db, viewer, id))?;
    Ok(Reply::no_content())
}
