//! `PUT /trackers/:id`, for administrators (compatibility 14).

use super::fields;
use super::show::tracker_reply;
use crate::actions::trackers;
use crate::domain::ids::TrackerId;
use crate::http::{Error, Reply, RequestContext};

/// Updates a tracker: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id: TrackerId = request.id_param("id")?;
    request.write(move |db, viewer| trackers::update(db, viewer, id, &change))?;
    request.app.read(|db| tracker_reply(db, id))
}
