//! `POST /queries` (compatibility 13.7).

use super::fields;
use super::show::query_reply;
use crate::actions::queries;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a query: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id =
        request.write(move |db, viewer| queries::create(db, viewer, &change, clock.as_ref()))?;
    Ok(request
        .app
        .read(|db| query_reply(request, db, id))?
        .created(format!("{}/queries/{id}", request.base_url())))
}
