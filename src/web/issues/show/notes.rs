//! `/journals/:id/delete` and `/journals/:id/privacy`: what the menu of a note does.

use crate::access;
use crate::components::form_field::typed;
use crate::components::form_page::FormPage;
use crate::frame::Width;
use crate::issues::issue_pages;
use crate::prelude::*;
use quarry_actions::issues::journals;
use quarry_actions::issues::journals::JournalChange;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::journal::Journal;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::shorten;

/// Whether the viewer may make the note private or public.
pub fn may_hide(viewer: &Viewer, issue: &Issue, journal: &Journal) -> bool {
    journals::may_update(viewer, issue, journal)
        && viewer.may(Permission::SetNotesPrivate, issue.project)
}

/// Returns the note in the path with its issue, if the viewer may edit it.
fn find_note(request: &RequestContext, db: &Read<'_>) -> Result<(Issue, Journal), Error> {
    let id: JournalId = request.id_param("id")?;
    let (issue, journal) = access::found(request, journals::find(db, request.viewer(), id))?;
    if journals::may_update(request.viewer(), &issue, &journal) {
        Ok((issue, journal))
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET /journals/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (issue, journal) = find_note(request, db)?;
    let what = if journal.details.is_empty() {
        "The note is deleted for everybody. This cannot be undone."
    } else {
        "The text is deleted for everybody, and the changes made with it stay in the history. This cannot be undone."
    };
    let name = db.catalogue().principal_name(journal.user.into());
    let frame = issue_pages::frame(request, db, &issue, "Delete note").with_width(Width::Slim);
    FormPage::confirmation(
        frame,
        format!("{}/delete", paths::journal(journal.id)),
        "Delete",
    )
    .with_heading("Delete this note?")
    .with_paragraph(format!("By {}:", name.unwrap_or("Anonymous")))
    .with_paragraph(shorten(
        journal.notes.as_deref().unwrap_or_default().trim(),
        MAX_CHARS,
    ))
    .with_paragraph(what)
    .with_cancel(paths::issue(issue.id))
    .render()
}

/// Number of characters of a note that its confirmation page shows.
const MAX_CHARS: usize = 200;

/// `POST /journals/:id/delete`: deletes the note.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let change = JournalChange {
        notes: Patch::Clear,
        ..JournalChange::default()
    };
    let (issue, journal) = request.app.read(|db| find_note(request, db))?;
    request.write(move |db, viewer| journals::update(db, viewer, journal.id, &change).map(drop))?;
    issue_pages::back(request, issue.id, "The note was deleted.")
}

/// `POST /journals/:id/privacy`: makes the note private (`do=private`) or public (`do=public`).
pub fn update_privacy(request: &RequestContext) -> Result<Reply, Error> {
    let is_private = match typed(&request.body, "do").as_deref() {
        Some("private") => true,
        Some("public") => false,
        _ => return Err(Error::BadRequest("do must be private or public".to_owned())),
    };
    let (issue, journal, number) = request.app.read(|db| -> Result<_, Error> {
        let (issue, journal) = find_note(request, db)?;
        if !may_hide(request.viewer(), &issue, &journal) {
            return Err(Error::Forbidden);
        }
        let sizes = journals::sizes(db, request.viewer(), &issue)?;
        let index = sizes.iter().position(|(id, _)| *id == journal.id);
        Ok((issue, journal, index.unwrap_or(0) + 1))
    })?;
    let change = JournalChange {
        private: Patch::Set(is_private),
        ..JournalChange::default()
    };
    request.write(move |db, viewer| journals::update(db, viewer, journal.id, &change).map(drop))?;
    Ok(Reply::see_other(paths::note(issue.id, number)))
}
