//! `PUT /journals/:id` (contract 4.8).

use super::view;
use crate::actions::journals::{self, JournalChange};
use crate::domain::ids::JournalId;
use crate::http::{Ask, Error, Reply, Said};
use std::sync::Arc;

/// Changes what was said: 200 with the entry and the number of its issue; 204 when nothing is left of it.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: JournalId = ask.number("id")?;
    let mut said = Said::of(ask, "journal")?;
    let wanted = JournalChange { notes: said.text("notes", "Notes"), private: said.switch("private_notes", "Private notes") };
    said.finish()?;
    let clock = Arc::clone(&ask.app.clock);
    let left = ask.change(move |db, viewer| journals::change(db, viewer, id, &wanted, clock.as_ref()))?;
    let Some((issue, journal)) = left else { return Ok(Reply::nothing()) };
    let catalogue = ask.app.store.catalogue()?;
    Ok(Reply::object("journal", move |w| {
        view::journal(w, &journal, &catalogue);
        w.nested("issue", |w| w.attribute("id", issue.id.0));
    }))
}
