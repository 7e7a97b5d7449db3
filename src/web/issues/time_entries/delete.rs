//! `/time_entries/:id/delete`: asks for confirmation, and deletes a time entry.

use super::edit::{back_field, back_path, find_time_entry, frame};
use super::time_entry_pages;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::prelude::*;
use quarry_actions::issues::time_entries;
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_domain::values::text::date;
use quarry_http::resources::sentences::hours;

fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<TimeEntry, Error> {
    find_time_entry(request, db, |entry| {
        time_entries::may_delete(db.catalogue(), request.viewer(), entry)
    })
}

/// `GET`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: deletes the time entry.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let entry = request.app.read(|db| find_deletable(request, db))?;
    let id = entry.id;
    save(
        request,
        || request.write(move |db, viewer| time_entries::delete(db, viewer, id)),
        |()| {
            let catalogue = request.app.store.catalogue()?;
            let path = back_path(request, &catalogue, &entry);
            Ok((path, "The time entry was deleted.".to_owned()))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let entry = find_deletable(request, db)?;
    let person = db.catalogue().principal_name(entry.user.into());
    let frame = frame(request, db, &entry, "Delete a time entry");
    let action = format!("{}/{}/delete", time_entry_pages::LIST, entry.id);
    FormPage::confirmation(frame, action, "Delete")
        .with_heading("Delete this time entry?")
        .with_paragraph(format!(
            "{} of {} on {}. This cannot be undone.",
            hours(entry.hours),
            person.unwrap_or("Anonymous"),
            date(entry.spent_on)
        ))
        .with_fields([back_field(request)])
        .with_cancel(back_path(request, db.catalogue(), &entry))
        .with_errors(errors)
        .render()
}
