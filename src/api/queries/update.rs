//! `PUT /queries/:id` (compatibility 13.7).

use super::fields;
use super::show::query_reply;
use crate::actions::queries;
use crate::domain::ids::QueryId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates a query: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| queries::update(db, viewer, id, &change, clock.as_ref()))?;
    request.app.read(|db| query_reply(request, db, id))
}
