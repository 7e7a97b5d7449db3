//! `DELETE /messages/:id` (compatibility 13.2).

use crate::actions::messages;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a message, of a topic also the replies: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| messages::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
