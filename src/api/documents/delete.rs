//! `DELETE /documents/:id` (compatibility 13.1).

use crate::actions::documents;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a document with its files: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| documents::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
