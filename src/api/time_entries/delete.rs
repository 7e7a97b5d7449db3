//! `DELETE /time_entries/:id` (spec, "Time entries").

use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Deletes a time entry: 200 without a body.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: TimeEntryId = ask.number("id")?;
    let asker = Arc::clone(&ask.asker);
    ask.app.store.write(move |db| time_entries::remove(db, &asker.viewer, id))?;
    Ok(Reply::done())
}
