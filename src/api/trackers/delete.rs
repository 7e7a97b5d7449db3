//! `DELETE /trackers/:id`, for administrators (compatibility 14).

use crate::actions::trackers;
use crate::domain::ids::TrackerId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a tracker: 204. A tracker with issues is 422.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let id: TrackerId = request.id_param("id")?;
    request.write(move |db, viewer| trackers::delete(db, viewer, id))?;
    Ok(Reply::no_content())
}
