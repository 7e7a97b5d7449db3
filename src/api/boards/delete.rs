//! `DELETE /boards/:id` (compatibility 13.2).

use crate::actions::boards;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a board with its messages: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| boards::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
