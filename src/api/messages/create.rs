//! `POST /boards/:id/topics`, `POST /messages/:id/replies` (compatibility 13.2).

use super::{fields, show};
use crate::actions::messages;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a topic: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let board: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| messages::create_topic(db, viewer, board, &change, &uploads, clock.as_ref()))?;
    created(request, id)
}

/// Creates a reply: 201 with it and its URL.
pub fn reply(request: &RequestContext) -> Result<Reply, Error> {
    let message: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| messages::reply(db, viewer, message, &change, &uploads, clock.as_ref()))?;
    created(request, id)
}

fn created(request: &RequestContext, id: i64) -> Result<Reply, Error> {
    Ok(request.app.read(|db| show::reply(request, db, id))?.created(format!("{}/messages/{id}", request.base_url())))
}
