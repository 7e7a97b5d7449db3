//! `POST /groups`, for administrators (compatibility 11.2).

use super::fields;
use super::show::group_reply;
use crate::actions::groups;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a group: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let (id, users) =
        request.write(move |db, viewer| groups::create(db, viewer, &change, clock.as_ref()))?;
    fields::audit(request, &users)?;
    let reply = request.app.read(|db| group_reply(request, db, id))?;
    Ok(reply.created(format!("{}/groups/{id}", request.base_url())))
}
