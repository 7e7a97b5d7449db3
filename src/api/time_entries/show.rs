//! `GET /time_entries/:id` (compatibility 9).

use super::view::{self, ViewContext};
use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the time entry; 403 when the viewer cannot see it, 404 when it does not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    let entry = time_entries::find(db, request.viewer(), id)?;
    let view_context =
        ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry))?;
    Ok(Reply::object("time_entry", move |w| {
        view::time_entry(w, &entry, &view_context)
    }))
}
