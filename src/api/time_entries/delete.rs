//! `DELETE /time_entries/:id` (compatibility 9).

use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a time entry: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    request.write(move |db, viewer| time_entries::delete(db, viewer, id))?;
    Ok(Reply::ok())
}
