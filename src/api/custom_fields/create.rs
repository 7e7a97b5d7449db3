//! `POST /custom_fields`, for administrators (compatibility 14).

use super::fields;
use super::show::field_reply;
use crate::actions::custom_fields;
use crate::http::{Error, Reply, RequestContext};

/// Creates a custom field: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id = request.write(move |db, viewer| custom_fields::create(db, viewer, &change))?;
    let reply = request.app.read(|db| field_reply(db, id))?;
    Ok(reply.created(format!("{}/custom_fields/{id}", request.base_url())))
}
