//! `DELETE /versions/:id` (compatibility 11.8).

use crate::actions::versions;
use crate::domain::ids::VersionId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a version: 200 without a body; 422 while something refers to it.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: VersionId = request.id_param("id")?;
    request
        .write(move |db, viewer| versions::delete(db, viewer, id))
        .map_err(Error::for_deletion)?;
    Ok(Reply::ok())
}
