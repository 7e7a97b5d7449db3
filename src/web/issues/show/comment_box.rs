//! The box at the end of an issue: a comment, also one with a quotation, files, and other changes.

use crate::components::attachments::size;
use crate::components::error_summary::{ERROR, ErrorSummary};
use crate::components::form_field::{Choice, FormField, assign_errors, choice, typed};
use crate::content::received_files::{PendingFile, ReceivedFiles, pending};
use crate::form::form_merge;
use crate::issues::change::conflict::{self, OtherChange};
use crate::issues::form::{self as issue_form, FormContext};
use crate::prelude::*;
use quarry_actions::content::attachments::max_file_size;
use quarry_actions::issues;
use quarry_actions::issues::Editable;
use quarry_actions::issues::{journals, saved_replies};
use quarry_domain::ids::{JournalId, PrincipalId};
use quarry_domain::issues::issue::IssueChange;
use quarry_http::resources::fields;
use quarry_store::issues as stored_issues;

/// The fields beside the comment; the others are below them.
const MAIN_FIELDS: [&str; 2] = ["issue[status_id]", "issue[assigned_to_id]"];

/// The box as the page shows it.
pub struct CommentBox {
    /// Status, assignee, and what must have a value.
    pub main: Vec<FormField>,
    /// The other fields.
    pub more: Vec<FormField>,
    /// Whether the other fields are shown at once, because one of them needs attention.
    pub is_open: bool,
    pub notes: String,
    /// The message about the comment.
    pub notes_error: Option<String>,
    /// Whether the comment can be private, and is.
    pub private_notes: Option<bool>,
    /// The largest file that can be attached, for people; `None` when none can be.
    pub max_file: Option<String>,
    /// Files that were sent with an earlier attempt.
    pub files: Vec<PendingFile>,
    /// Messages about files.
    pub file_errors: Vec<String>,
    /// What is wrong.
    pub errors: ErrorSummary,
    /// The saved replies to choose from.
    pub replies: Vec<Choice>,
    /// Who has changed the same fields meanwhile.
    pub conflict: Option<OtherChange>,
    /// The lock version of the issue with which the form was opened.
    pub lock_version: i64,
    /// The values with which it was opened, see [`form_merge`].
    pub original: String,
}

impl CommentBox {
    /// Says in the title of the page whether something is wrong.
    pub fn mark_title(&self, title: &mut String) {
        if self.conflict.is_some() {
            title.insert_str(0, ERROR);
        }
        self.errors.mark_title(title);
    }
}

/// What was typed, and the errors of it.
#[derive(Default)]
pub struct CommentForm {
    /// The form; null when it is new.
    pub form: Input,
    /// Errors of the action.
    pub errors: ValidationErrors,
    /// Fields with a conflict, each with the saved value.
    pub conflicts: Vec<(String, String)>,
    pub files: ReceivedFiles,
    /// The note that is quoted.
    pub quote: Option<Quote>,
    /// The saved reply that is inserted.
    pub reply: Option<String>,
}

/// Returns the box; `None` when the viewer may not write on the issue.
pub fn load(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    state: CommentForm,
) -> Result<Option<CommentBox>, Error> {
    let viewer = request.viewer();
    let change = fields::issue::parse(request, &state.form).unwrap_or_default();
    let editable = issues::for_update(db, viewer, issue.id, &change)?;
    let may_write =
        editable.may_edit || viewer.may_on(Permission::AddIssueNotes, issue.project, issue.tracker);
    if !may_write || viewer.author_id(db.catalogue()).is_none() {
        return Ok(None);
    }
    let mut fields = fields(request, db, &editable, &state.form);
    let conflict = match state.conflicts[..] {
        [] => None,
        _ => Some(conflict::last_change(request, db, issue)?),
    };
    for field in &mut fields {
        field.saved = state
            .conflicts
            .iter()
            .find(|(name, _)| *name == field.name)
            .map(|(_, saved)| saved.clone());
    }
    let (lock_version, original) = opened(request, db, issue, &state)?;
    let (of_notes, errors): (Vec<_>, Vec<_>) = state
        .errors
        .into_iter()
        .partition(|error| error.is_about("notes"));
    let notes_error = of_notes.first().map(ToString::to_string);
    let messages = assign_errors(fields.iter_mut(), errors.into());
    let mut notes = typed(&state.form, "issue[notes]").unwrap_or_default();
    let mut is_private = typed(&state.form, "issue[private_notes]").is_some_and(|text| text == "1");
    if let Some(quote) = &state.quote {
        (notes, is_private) = text(request, db, issue, quote)?;
    }
    if let Some(reply) = &state.reply {
        notes = with_reply(&notes, reply);
    }
    let errors = ErrorSummary::new(&messages, &fields)
        .with("issue[notes]", notes_error.as_deref())
        .with_files(&state.files.errors);
    let (main, more): (Vec<_>, Vec<_>) = fields.into_iter().partition(is_main);
    let replies = saved_replies::list_usable(db, viewer, issue.project)?;
    let private_notes = viewer
        .may(Permission::SetNotesPrivate, issue.project)
        .then_some(is_private);
    let max = i64::try_from(max_file_size(db.catalogue())).unwrap_or(i64::MAX);
    Ok(Some(CommentBox {
        is_open: more.iter().any(FormField::is_invalid),
        main,
        more,
        notes,
        notes_error,
        private_notes,
        max_file: viewer.user.map(|_| size(max)),
        files: pending(request, db, &state.files),
        file_errors: state.files.errors,
        errors,
        replies: replies
            .into_iter()
            .map(|(id, name)| choice(id, name))
            .collect(),
        conflict,
        lock_version,
        original,
    }))
}

fn is_main(field: &FormField) -> bool {
    MAIN_FIELDS.contains(&field.name.as_str()) || (field.is_required && field.value.is_empty())
}

fn fields(
    request: &RequestContext,
    db: &Read<'_>,
    editable: &Editable<'_>,
    form: &Input,
) -> Vec<FormField> {
    issue_form::fields(&FormContext {
        catalogue: db.catalogue(),
        viewer: request.viewer(),
        editable,
        form,
    })
}

/// Returns the lock version and the values with which the form was opened: now, or before an
/// attempt that failed.
fn opened(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    state: &CommentForm,
) -> Result<(i64, String), Error> {
    let earlier = typed(&state.form, "issue[lock_version]")
        .and_then(|text| text.parse().ok())
        .zip(typed(&state.form, "original"));
    if let Some(earlier) = earlier.filter(|_| state.conflicts.is_empty()) {
        return Ok(earlier);
    }
    let editable = issues::for_update(db, request.viewer(), issue.id, &IssueChange::default())?;
    let original = form_merge::original(&fields(request, db, &editable, &Input::Null));
    Ok((stored_issues::lock_version(db, issue.id)?, original))
}

/// Adds a saved reply to a note.
fn with_reply(notes: &str, reply: &str) -> String {
    match notes.trim_end() {
        "" => reply.to_owned(),
        notes => format!("{notes}\n\n{reply}"),
    }
}

/// Maximum number of characters that are quoted.
const MAX_CHARS: usize = 20_000;

/// What a new comment quotes.
pub enum Quote {
    /// The description.
    Description,
    /// A note.
    Note(JournalId),
}

impl Quote {
    /// Parses the parameter `quote`.
    pub fn parse(text: &str) -> Option<Quote> {
        if text == "description" {
            Some(Quote::Description)
        } else {
            text.parse().ok().map(|id| Quote::Note(JournalId(id)))
        }
    }
}

/// Returns the quotation, and whether the new note should be private because the quoted one is.
/// Empty for a note that the viewer may not read, as for one that does not exist.
pub fn text(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    quote: &Quote,
) -> Result<(String, bool), Error> {
    let catalogue = db.catalogue();
    match quote {
        Quote::Description => {
            let text = quoted(issue.description.as_deref().unwrap_or_default());
            Ok((
                format!(
                    "{} wrote:\n{text}\n\n",
                    name(catalogue, issue.author.into())
                ),
                false,
            ))
        }
        Quote::Note(id) => {
            let number = journals::sizes(db, request.viewer(), issue)?
                .iter()
                .position(|(journal, _)| journal == id);
            let journal = journals::list_by_ids(db, request.viewer(), issue, &[*id])?
                .into_iter()
                .next();
            let (Some(number), Some(journal)) = (number, journal) else {
                return Ok((String::new(), false));
            };
            let text = quoted(journal.notes.as_deref().unwrap_or_default());
            Ok((
                format!(
                    "{} wrote in #note-{}:\n{text}\n\n",
                    name(catalogue, journal.user.into()),
                    number + 1
                ),
                journal.private,
            ))
        }
    }
}

fn name(catalogue: &Catalogue, id: PrincipalId) -> String {
    catalogue
        .principal_name(id)
        .unwrap_or("Anonymous")
        .to_owned()
}

/// Puts `>` before each line, as Markdown and Textile quote.
fn quoted(text: &str) -> String {
    let text: String = text.trim().chars().take(MAX_CHARS).collect();
    text.lines()
        .map(|line| format!("> {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn each_line_is_quoted() {
        assert_eq!(quoted("a\r\n\r\n> b\n"), "> a\n> \n> > b");
    }
}
