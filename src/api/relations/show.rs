//! `GET /relations/:id` (compatibility 6.8).

use super::view;
use crate::actions::relations;
use crate::domain::ids::RelationId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the relation, to viewers who can see both issues.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: RelationId = request.id_param("id")?;
    let relation = relations::find(db, request.viewer(), id)?;
    Ok(Reply::object("relation", move |w| {
        view::relation(w, relation)
    }))
}
