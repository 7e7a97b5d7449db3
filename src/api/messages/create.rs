//! `POST /boards/:id/topics`, `POST /messages/:id/replies` (compatibility 13.2).

use super::fields;
use super::show::message_reply;
use crate::actions::messages;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a topic: 201 with it and its URL.
pub fn create_topic(request: &RequestContext) -> Result<Reply, Error> {
    let board: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| {
        messages::create_topic(db, viewer, board, &change, &uploads, clock.as_ref())
    })?;
    created_message(request, id)
}

/// Creates a reply: 201 with it and its URL.
pub fn create_reply(request: &RequestContext) -> Result<Reply, Error> {
    let message: i64 = request.id_param("id")?;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| {
        messages::create_reply(db, viewer, message, &change, &uploads, clock.as_ref())
    })?;
    created_message(request, id)
}

fn created_message(request: &RequestContext, id: i64) -> Result<Reply, Error> {
    Ok(request
        .app
        .read(|db| message_reply(request, db, id))?
        .created(format!("{}/messages/{id}", request.base_url())))
}
