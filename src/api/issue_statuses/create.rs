//! `POST /issue_statuses`, for administrators (compatibility 14).

use super::fields;
use super::show::status_reply;
use crate::actions::issue_statuses;
use crate::http::{Error, Reply, RequestContext};

/// Creates a status: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id = request.write(move |db, viewer| issue_statuses::create(db, viewer, &change))?;
    let reply = request.app.read(|db| status_reply(db, id))?;
    Ok(reply.created(format!("{}/issue_statuses/{id}", request.base_url())))
}
