//! `DELETE /time_entries/:id` (spec, "Time entries").

use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Ask, Error, Reply};

/// Deletes a time entry: 200 without a body.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: TimeEntryId = ask.number("id")?;
    ask.change(move |db, viewer| time_entries::remove(db, viewer, id))?;
    Ok(Reply::done())
}
