//! `PUT /journals/:id` (compatibility 6.8).

use super::view;
use crate::actions::journals::{self, JournalChange};
use crate::domain::ids::JournalId;
use crate::http::{BodyFields, Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates the notes of a journal: 200 with it and the id of its issue; 204 if it was deleted
/// because it became empty.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: JournalId = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "journal")?;
    let change = JournalChange {
        notes: body.text("notes", "Notes"),
        private: body.boolean("private_notes", "Private notes"),
    };
    body.check()?;
    let clock = Arc::clone(&request.app.clock);
    let updated = request
        .write(move |db, viewer| journals::update(db, viewer, id, &change, clock.as_ref()))?;
    let Some((issue, journal)) = updated else {
        return Ok(Reply::no_content());
    };
    let catalogue = request.app.store.catalogue()?;
    Ok(Reply::object("journal", move |w| {
        view::journal(w, &journal, &catalogue);
        w.nested("issue", |w| w.attribute("id", issue.id.0));
    }))
}
