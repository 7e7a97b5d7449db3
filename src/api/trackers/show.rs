//! `GET /trackers/:id`, for administrators (compatibility 14).

use super::view;
use crate::domain::ids::TrackerId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a tracker.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    tracker_reply(db, request.id_param("id")?)
}

/// Returns a tracker with all fields.
pub(super) fn tracker_reply(db: &Read<'_>, id: TrackerId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let tracker = catalogue.tracker(id).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("tracker", move |w| {
        view::tracker(w, &tracker, &catalogue);
        view::administration(w, &tracker, &catalogue);
        view::projects(w, &tracker, &catalogue);
    }))
}
