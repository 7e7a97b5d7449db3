//! `/journals/:id/edit`: changes or deletes a note of an issue.

use crate::access;
use crate::components::form_field::typed;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, ProjectTab, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues::journals;
use quarry_actions::issues::journals::JournalChange;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::journal::Journal;
use quarry_domain::values::patch::Patch;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route(
        "/journals/{id}/edit",
        get(read_handler(edit)).post(write_handler(update)),
    )
}

const DELETED: &str = "The note was deleted.";

#[derive(Template)]
#[template(path = "content/journals/edit.html")]
struct JournalPage {
    frame: Frame,
    id: JournalId,
    issue: IssueId,
    notes: String,
    error: Option<String>,
    /// Whether the note is private; `None` when the viewer may not change that.
    is_private: Option<bool>,
    /// Whether the entry goes with its note, because it has no changes.
    is_note_only: bool,
    preview: String,
}

/// What was typed.
struct Typed {
    notes: String,
    is_private: bool,
    error: String,
}

/// `GET /journals/:id/edit`: the form.
fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None)
}

/// `POST /journals/:id/edit`: saves the note, or deletes it (`do=delete`).
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: JournalId = request.id_param("id")?;
    let (issue, number) = request.app.read(|db| -> Result<_, Error> {
        let (issue, journal) = find_editable(request, db, id)?;
        let entries = journals::sizes(db, request.viewer(), &issue)?;
        Ok((
            issue.id,
            entries
                .iter()
                .position(|(id, _)| *id == journal.id)
                .unwrap_or(0)
                + 1,
        ))
    })?;
    let is_deletion = typed(&request.body, "do").is_some_and(|text| text == "delete");
    let notes = typed(&request.body, "journal[notes]").unwrap_or_default();
    let private = typed(&request.body, "journal[private_notes]").map(|text| text == "1");
    let change = JournalChange {
        notes: if is_deletion {
            Patch::Clear
        } else {
            Patch::Set(notes.clone())
        },
        private: private
            .filter(|_| !is_deletion)
            .map_or(Patch::Unset, Patch::Set),
    };
    match request.write(move |db, viewer| {
        journals::update(db, viewer, id, &change).map(|left| left.is_some())
    }) {
        Ok(true) => Ok(Reply::see_other(paths::note(issue, number))),
        Ok(false) => Ok(redirect_with(
            request,
            paths::issue(issue),
            &Flash::notice(DELETED),
        )),
        Err(Error::Invalid(errors)) => {
            let typed = Typed {
                notes,
                is_private: private.unwrap_or_default(),
                error: errors.messages().join(". "),
            };
            let reply = request.app.read(|db| page(request, db, Some(typed)))?;
            Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
        }
        Err(error) => Err(error),
    }
}

/// Returns the entry if the viewer may edit it.
fn find_editable(
    request: &RequestContext,
    db: &Read<'_>,
    id: JournalId,
) -> Result<(Issue, Journal), Error> {
    let (issue, journal) = access::found(request, journals::find(db, request.viewer(), id))?;
    let is_permitted = journals::may_update(request.viewer(), &issue, &journal);
    if is_permitted {
        Ok((issue, journal))
    } else {
        Err(Error::Forbidden)
    }
}

fn page(request: &RequestContext, db: &Read<'_>, typed: Option<Typed>) -> Result<Reply, Error> {
    let (issue, journal) = find_editable(request, db, request.id_param("id")?)?;
    let catalogue = db.catalogue();
    let mut frame = Frame::new(request, db, "Edit note").with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&issue.project) {
        frame = frame.in_project(db, request.viewer(), project, Some(ProjectTab::Issues));
    }
    let (notes, is_private, error) = match typed {
        Some(typed) => (typed.notes, typed.is_private, Some(typed.error)),
        None => (journal.notes.unwrap_or_default(), journal.private, None),
    };
    let may_set_private = request
        .viewer()
        .may(Permission::SetNotesPrivate, issue.project);
    let page = JournalPage {
        frame: frame.below(format!("#{}", issue.id), paths::issue(issue.id)),
        id: journal.id,
        issue: issue.id,
        notes,
        error,
        is_private: may_set_private.then_some(is_private),
        is_note_only: journal.details.is_empty(),
        preview: format!("{}&note={}", paths::preview("issue", issue.id), journal.id),
    };
    render(&page.frame, &page)
}
