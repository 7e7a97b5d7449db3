//! `DELETE /queries/:id` (compatibility 13.7).

use crate::actions::queries;
use crate::domain::ids::QueryId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a query: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    request.write(move |db, viewer| queries::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
