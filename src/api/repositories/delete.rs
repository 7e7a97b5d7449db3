//! `DELETE /repositories/:id` (compatibility 13.3).

use crate::actions::repositories;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a repository with its changesets: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| repositories::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
