//! `POST /trackers`, for administrators (compatibility 14).

use super::fields;
use super::show::tracker_reply;
use crate::actions::trackers;
use crate::http::{Error, Reply, RequestContext};

/// Creates a tracker: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id = request.write(move |db, viewer| trackers::create(db, viewer, &change))?;
    let reply = request.app.read(|db| tracker_reply(db, id))?;
    Ok(reply.created(format!("{}/trackers/{id}", request.base_url())))
}
