//! `PUT /messages/:id` (compatibility 13.2).

use super::fields;
use super::show::message_reply;
use crate::actions::messages;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates a message: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| {
        messages::update(db, viewer, id, &change, &uploads, clock.as_ref())
    })?;
    request.app.read(|db| message_reply(request, db, id))
}
