//! `POST /issues/:id`: a comment, files and changes of an issue.

use super::conflict::{self, Merged};
use super::edit_field;
use crate::access;
use crate::components::form_field::typed;
use crate::content::received_files::receive;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::issues::show;
use crate::issues::show::comment_box::CommentForm;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues;
use quarry_actions::issues::{journals, saved_replies};
use quarry_domain::access::visibility;
use quarry_domain::ids::SavedReplyId;
use quarry_domain::validation::ValidationError;
use quarry_store::issues as stored_issues;

const NOTHING_TO_SAVE: &str = "There was nothing to save.";

/// The value of the button that inserts a saved reply.
const REPLY: &str = "reply";

/// Maximum number of attempts to merge and save while others save changes of the same issue.
const MAX_ATTEMPTS: usize = 3;

/// `GET /issues/:id/edit`: the form of one field (`?field=status_id`); without one, leads to the form
/// on the page of the issue.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if let Some(name) = request.query_param(edit_field::FIELD) {
        return edit_field::show(request, db, &name);
    }
    let issue = access::found(
        request,
        issues::find(db, request.viewer(), request.id_param("id")?),
    )?;
    Ok(Reply::redirect(format!(
        "{}#update",
        paths::issue(issue.id)
    )))
}

/// Saves the form, and leads to the new note. A form that cannot be saved is shown again with what
/// was typed.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    if request.body.get(edit_field::FIELD).is_some() {
        return edit_field::save(request, id);
    }
    let entries_before = request.app.read(|db| -> Result<_, Error> {
        access::found(request, issues::find(db, request.viewer(), id))?;
        count_entries(request, db, id)
    })?;
    let files = receive(request)?;
    let shows_again =
        typed(&request.body, "do").is_some_and(|text| ["refresh", REPLY].contains(&&*text));
    if shows_again || !files.errors.is_empty() {
        let status = if shows_again {
            StatusCode::OK
        } else {
            StatusCode::UNPROCESSABLE_ENTITY
        };
        let state = CommentForm {
            form: request.body.clone(),
            files,
            reply: request.app.read(|db| chosen_reply(request, db, id))?,
            ..CommentForm::default()
        };
        return again(request, id, state, status);
    }
    for _ in 0..MAX_ATTEMPTS {
        let merged = request.app.read(|db| conflict::merge(request, db, id))?;
        if !merged.conflicts.is_empty() {
            let Merged {
                form, conflicts, ..
            } = merged;
            return again(
                request,
                id,
                CommentForm {
                    form,
                    conflicts,
                    files,
                    ..CommentForm::default()
                },
                StatusCode::CONFLICT,
            );
        }
        match conflict::save(request, id, &merged, &files) {
            Ok(()) => return redirect_to_note(request, id, entries_before),
            Err(Error::Outdated) => {}
            Err(Error::Invalid(errors)) => {
                let state = CommentForm {
                    form: request.body.clone(),
                    errors,
                    files,
                    ..CommentForm::default()
                };
                return again(request, id, state, StatusCode::UNPROCESSABLE_ENTITY);
            }
            Err(error) => return Err(error),
        }
    }
    let errors = ValidationError::for_record(conflict::CHANGED_MEANWHILE).into();
    again(
        request,
        id,
        CommentForm {
            form: request.body.clone(),
            errors,
            files,
            ..CommentForm::default()
        },
        StatusCode::CONFLICT,
    )
}

/// Returns the saved reply that the form wants to insert; `None` for one that the viewer may not use.
fn chosen_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: IssueId,
) -> Result<Option<String>, Error> {
    let reply = typed(&request.body, "reply_id").and_then(|text| text.parse().ok());
    let is_wanted = typed(&request.body, "do").is_some_and(|text| text == REPLY);
    let Some(reply) = reply.map(SavedReplyId).filter(|_| is_wanted) else {
        return Ok(None);
    };
    let viewer = request.viewer();
    let project = issues::find(db, viewer, id)?.project;
    let reply = saved_replies::find_usable(db, viewer, project, reply)?;
    Ok(reply.map(|reply| reply.content))
}

fn again(
    request: &RequestContext,
    id: IssueId,
    state: CommentForm,
    status: StatusCode,
) -> Result<Reply, Error> {
    let reply = request.app.read(|db| show::page(request, db, id, state))?;
    Ok(reply.with_status(status))
}

/// Redirects to the new note, or to the list of issues when the viewer may not see the issue any
/// more.
fn redirect_to_note(
    request: &RequestContext,
    id: IssueId,
    entries_before: usize,
) -> Result<Reply, Error> {
    let entries = request.app.read(|db| -> Result<_, Error> {
        let issue = stored_issues::find(db, visibility::issues(request.viewer()), id)?;
        issue.map(|_| count_entries(request, db, id)).transpose()
    })?;
    Ok(match entries {
        Some(entries) if entries > entries_before => Reply::see_other(paths::note(id, entries)),
        Some(_) => redirect_with(request, paths::issue(id), &Flash::notice(NOTHING_TO_SAVE)),
        None => redirect_with(
            request,
            "/issues".to_owned(),
            &Flash::notice(format!(
                "Issue #{id} was saved. You cannot see it any more."
            )),
        ),
    })
}

fn count_entries(request: &RequestContext, db: &Read<'_>, id: IssueId) -> Result<usize, Error> {
    let issue = issues::find(db, request.viewer(), id)?;
    Ok(journals::sizes(db, request.viewer(), &issue)?.len())
}
