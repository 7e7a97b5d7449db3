//! `GET /queries/:id` (compatibility 13.7).

use super::view;
use crate::actions::queries;
use crate::domain::ids::QueryId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns the query.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    query_reply(request, db, request.id_param("id")?)
}

/// Returns the query with this id.
pub(super) fn query_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: QueryId,
) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let viewer_context = Arc::clone(&request.viewer_context);
    let query = queries::find(db, request.viewer(), id)?;
    Ok(Reply::object("query", move |w| {
        view::query(w, &query, &viewer_context.viewer, &catalogue)
    }))
}
