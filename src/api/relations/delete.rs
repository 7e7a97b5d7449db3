//! `DELETE /relations/:id` (compatibility 6.8).

use crate::actions::relations;
use crate::domain::ids::RelationId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Deletes a relation: 204.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: RelationId = request.id_param("id")?;
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| relations::delete(db, viewer, id, clock.as_ref()))?;
    Ok(Reply::no_content())
}
