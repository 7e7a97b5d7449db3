//! The resource `/journals`: changes of notes (compatibility 6.8). Journals are read as a part of
//! their issue.

use crate::issues::view::description_text;
use crate::prelude::*;
use axum::routing::put;
use quarry_actions::issues::journals;
use quarry_actions::issues::journals::JournalChange;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use std::borrow::Cow;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route(
        "/journals/{id}",
        put(write_handler(update)).patch(write_handler(update)),
    )
}

/// `PUT /journals/:id` (compatibility 6.8).
///
/// Updates the notes of a journal: 200 with it and the id of its issue; 204 if it was deleted
/// because it became empty.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: JournalId = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "journal")?;
    let change = JournalChange {
        notes: body.text("notes", "Notes"),
        private: body.boolean("private_notes", "Private notes"),
    };
    body.check()?;
    let updated = request.write(move |db, viewer| journals::update(db, viewer, id, &change))?;
    let Some((issue, journal)) = updated else {
        return Ok(Reply::no_content());
    };
    let catalogue = request.app.store.catalogue()?;
    Ok(Reply::object("journal", move |w| {
        write_journal(w, &journal, &catalogue);
        w.nested("issue", |w| w.attribute("id", issue.id.0));
    }))
}

/// Writes the fields of a journal, in the order of compatibility 6.2.
pub fn write_journal(w: &mut Fields, journal: &Journal, catalogue: &Catalogue) {
    w.attribute("id", journal.id.0);
    w.reference(
        "user",
        journal.user.0,
        catalogue
            .principal_name(journal.user.into())
            .unwrap_or_default(),
    );
    w.field("notes", journal.notes.as_deref());
    w.field("created_on", journal.created_on);
    w.field("updated_on", journal.updated_on);
    w.maybe_reference(
        "updated_by",
        journal.updated_by.map(|id| {
            (
                id.0,
                catalogue.principal_name(id.into()).unwrap_or_default(),
            )
        }),
    );
    w.field("private_notes", journal.private);
    w.items("details", "detail", &journal.details, |w, detail| {
        w.attribute("property", &detail.property);
        w.attribute("name", &detail.name);
        w.field(
            "old_value",
            detail_text(detail, &detail.old_value).as_deref(),
        );
        w.field(
            "new_value",
            detail_text(detail, &detail.new_value).as_deref(),
        );
    });
}

/// Returns a value of a changed field as the API writes it.
fn detail_text<'v>(detail: &JournalDetail, value: &'v Option<String>) -> Option<Cow<'v, str>> {
    let value = value.as_deref()?;
    Some(
        if detail.property == "attr" && detail.name == "description" {
            description_text(value)
        } else {
            Cow::Borrowed(value)
        },
    )
}
