//! JSON and XML of journals (compatibility 6.1 and 6.2).

use crate::domain::catalogue::Catalogue;
use crate::store::journals::Journal;
use crate::wire::Fields;

/// Writes the fields of a journal, in the order of compatibility 6.2.
pub fn journal(w: &mut Fields, journal: &Journal, catalogue: &Catalogue) {
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
        w.field("old_value", detail.old_value.as_deref());
        w.field("new_value", detail.new_value.as_deref());
    });
}
