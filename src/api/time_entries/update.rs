//! `PUT /time_entries/:id` (spec, "Time entries"; contract 7).

use super::fields;
use super::view::{self, Around};
use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Changes a time entry: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: TimeEntryId = ask.number("id")?;
    let wanted = fields::read(ask)?;
    let clock = Arc::clone(&ask.app.clock);
    let entry = ask.change(move |db, viewer| time_entries::change(db, viewer, id, &wanted, clock.as_ref()))?;
    let around = ask.app.store.read(|db| Around::load(db, &ask.asker, std::slice::from_ref(&entry)))?;
    Ok(Reply::object("time_entry", move |w| view::time_entry(w, &entry, &around)))
}
