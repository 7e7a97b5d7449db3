//! `GET /time_entries/:id` (contract 7).

use super::view::{self, Around};
use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The time entry; 403 where the viewer may not see it, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: TimeEntryId = ask.number("id")?;
    let entry = time_entries::find(db, ask.viewer(), id)?;
    let around = Around::load(db, &ask.asker, std::slice::from_ref(&entry))?;
    Ok(Reply::object("time_entry", move |w| view::time_entry(w, &entry, &around)))
}
