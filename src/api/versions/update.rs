//! `PUT /versions/:id` (compatibility 11.8).

use super::{fields, show};
use crate::actions::versions;
use crate::domain::ids::VersionId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates a version: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: VersionId = request.id_param("id")?;
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| versions::update(db, viewer, id, &change, clock.as_ref()))?;
    show::reply_by_id(request, id)
}
