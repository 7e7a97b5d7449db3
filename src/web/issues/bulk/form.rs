//! The form for the selected issues, with the preview of what would happen.

use super::fields::{FieldSource, clearable, fields};
use super::phrases::{issues as issues_in_words, issues_were, reasons};
use super::selection::{Selection, back, join_ids};
use crate::access;
use crate::components::form_field::FormField;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::issues::change::edit_field::FIELD;
use crate::prelude::*;
use quarry_actions::issues::bulk::{BulkAction, BulkOutcome};
use quarry_domain::ids::StatusId;
use quarry_domain::issues::issue::IssueChange;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of issues that a page names.
pub const MAX_NAMED: usize = 50;

/// An issue in a list of the page.
pub struct Line {
    pub id: i64,
    pub subject: String,
    /// Why it does not change; empty otherwise.
    pub reason: String,
}

impl Line {
    /// Returns the line of an issue, if the viewer sees it.
    pub fn new(id: IssueId, issue: Option<&Issue>, reason: &str) -> Line {
        Line {
            id: id.0,
            subject: issue.map_or(String::new(), |issue| issue.subject.clone()),
            reason: reason.to_owned(),
        }
    }
}

#[derive(Template)]
#[template(path = "issues/bulk/form.html")]
struct FormPage {
    frame: Frame,
    title: String,
    path: &'static str,
    /// What is wrong with the form.
    errors: Vec<String>,
    warnings: Vec<String>,
    /// The ids, for the form.
    ids: String,
    /// The address of the list.
    back: String,
    fields: Vec<FormField>,
    /// The typed fields that a checkbox clears: attribute, label, whether it is on.
    clearable: Vec<(String, String, bool)>,
    /// What is copied besides the attributes.
    parts: Vec<FormField>,
    /// The verb of the button.
    verb: &'static str,
    /// What would happen; `None` before it was asked for.
    preview: Option<Preview>,
    /// The field that the form is about; `None` for all.
    field: Option<String>,
}

struct Preview {
    /// What would happen, as a sentence.
    summary: String,
    count: usize,
    refused: Vec<Line>,
    more: usize,
}

/// What the form shows besides its fields.
#[derive(Default)]
pub struct Feedback {
    pub errors: Vec<String>,
    pub outcome: Option<BulkOutcome>,
}

/// Returns the page. `parts` are the fields for what is copied besides the attributes.
pub fn page(
    request: &RequestContext,
    db: &Read<'_>,
    action: BulkAction,
    parts: Vec<FormField>,
    feedback: Feedback,
) -> Result<Reply, Error> {
    request.require_user()?;
    let selected = access::found(request, Selection::load(request, db, action))?;
    if selected.issues.is_empty() {
        return Err(access::missing(request));
    }
    let (verb, path) = match action {
        BulkAction::Copy => ("Copy", "/issues/bulk_copy"),
        _ => ("Change", "/issues/bulk_edit"),
    };
    let issues = issues_in_words(selected.issues.len());
    let mut title = format!("{verb} {issues}");
    let source = FieldSource {
        request,
        db,
        action,
    };
    let mut fields = fields(&source, &selected.issues)?;
    let mut errors = feedback.errors;
    let field = field_name(request);
    if let Some(name) = &field {
        fields.retain(|field| field.attribute == *name);
        match fields.first() {
            Some(field) => title = format!("{} of {issues}", field.label),
            None => {
                errors.push("This field cannot be changed for these issues together.".to_owned());
            }
        }
    }
    let mut frame = Frame::new(request, db, &title).with_width(Width::Medium);
    if !errors.is_empty() {
        frame.title.insert_str(0, "Error: ");
    }
    let page = FormPage {
        title,
        path,
        errors,
        field,
        warnings: selected.warnings(),
        ids: join_ids(&selected.ids()),
        back: back(request),
        clearable: clearable(&fields, &request.body),
        fields,
        parts,
        verb,
        preview: feedback.outcome.map(|outcome| {
            let status = requested_status(request, db);
            preview(&selected.issues, &outcome, action, status.as_deref())
        }),
        frame,
    };
    render(&page.frame, &page)
}

/// Returns the name of the field that the form is about; `None` for all.
pub fn field_name(request: &RequestContext) -> Option<String> {
    let sent = request.body.get(FIELD).or_else(|| request.query.get(FIELD));
    let name = sent.and_then(Input::as_text)?;
    Some(name.into_owned()).filter(|name| !name.is_empty())
}

/// Returns the name of the status that the form chooses.
fn requested_status(request: &RequestContext, db: &Read<'_>) -> Option<String> {
    let id = crate::components::form_field::typed(&request.body, "issue[status_id]")?;
    let status = db.catalogue().status(StatusId(id.trim().parse().ok()?))?;
    Some(status.name.clone())
}

fn preview(
    selected: &[Issue],
    outcome: &BulkOutcome,
    action: BulkAction,
    status: Option<&str>,
) -> Preview {
    let count = outcome.changed.len() + outcome.unchanged.len();
    let lines = outcome.refused.iter().take(MAX_NAMED);
    let lines = lines.map(|(id, reason)| {
        let issue = selected.iter().find(|issue| issue.id == *id);
        Line::new(*id, issue, reason)
    });
    let unchanged = match outcome.unchanged.len() {
        0 => String::new(),
        1 => " 1 of them has these values already.".to_owned(),
        count => format!(" {count} of them have these values already."),
    };
    let what = match (action, status) {
        (BulkAction::Copy, _) => "can be copied".to_owned(),
        (_, Some(status)) => format!("can become {status}"),
        _ => "can change".to_owned(),
    };
    let all = count + outcome.refused.len();
    Preview {
        summary: match outcome.refused.len() {
            0 if count == 1 => format!("The issue {what}.{unchanged}"),
            0 => format!("All {} {what}.{unchanged}", issues_in_words(count)),
            refused => format!("{count} of {all} {what}; {refused} cannot.{unchanged}"),
        },
        count: outcome.changed.len(),
        refused: lines.collect(),
        more: outcome.refused.len().saturating_sub(MAX_NAMED),
    }
}

/// Returns what a change would do: it runs in a transaction that is rolled back.
pub fn try_out(
    request: &RequestContext,
    change: impl FnOnce(
        &mut quarry_store::Write<'_>,
        &quarry_domain::access::viewer::Viewer,
    ) -> Result<BulkOutcome, quarry_actions::ActionError>
    + Send
    + 'static,
) -> Result<BulkOutcome, Error> {
    let slot: Arc<Mutex<Option<BulkOutcome>>> = Arc::default();
    let result = Arc::clone(&slot);
    let rolled_back = request.write(move |db, viewer| -> Result<(), Error> {
        let outcome = change(db, viewer)?;
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        // Any error rolls back.
        Err(Error::Outdated)
    });
    let outcome = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (outcome, rolled_back) {
        (Some(outcome), _) => Ok(outcome),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Ok(BulkOutcome::default()),
    }
}

/// Returns what became of the issues as a sentence, with the reasons of those that are refused.
pub fn summary(outcome: &BulkOutcome, participle: &str) -> String {
    let done = match outcome.changed.len() {
        0 => format!("No issue was {participle}"),
        count => issues_were(count, participle),
    };
    let unchanged = match outcome.unchanged.len() {
        0 => String::new(),
        count => format!("; {count} had these values already"),
    };
    if outcome.refused.is_empty() {
        format!("{done}{unchanged}.")
    } else {
        let reasons = reasons(&outcome.refused);
        format!("{done}{unchanged}. Not {participle}: {reasons}.")
    }
}

/// Whether the change has nothing but the privacy of a note that is missing.
pub fn is_empty(change: &IssueChange) -> bool {
    *change
        == IssueChange {
            private_notes: change.private_notes.clone(),
            ..IssueChange::default()
        }
}
