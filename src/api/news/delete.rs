//! `DELETE /news/:id` (compatibility 11.5).

use crate::actions::news;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a news item with its comments and files: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| news::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
