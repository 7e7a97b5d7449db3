//! `/issues/bulk_edit`: the form for the selected issues, the preview of what would change, the
//! result, and taking it back.

use super::fields::{clearable, fields, to_update};
use super::issues as issues_in_words;
use super::selection::{Selection, ids, joined};
use crate::access;
use crate::components::form_field::FormField;
use crate::form::field;
use crate::frame::{Flash, FlashKind, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use jiff::Timestamp;
use quarry_actions::ActionError;
use quarry_actions::issues::bulk;
use quarry_actions::issues::bulk::BulkOutcome;
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_http::resources::fields::issue as issue_fields;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of issues that a page names.
const MAX_NAMED: usize = 50;

/// An issue in a list of the page.
struct Line {
    id: i64,
    subject: String,
    /// Why it does not change; empty otherwise.
    reason: String,
}

#[derive(Template)]
#[template(path = "issues/bulk/edit.html")]
struct EditPage {
    frame: Frame,
    title: String,
    messages: Vec<String>,
    /// The ids, for the form.
    ids: String,
    fields: Vec<FormField>,
    /// The typed fields that a checkbox clears: attribute, label, whether it is on.
    clearable: Vec<(String, String, bool)>,
    /// What would happen; `None` before it was asked for.
    preview: Option<Preview>,
}

struct Preview {
    /// What would happen, as a sentence.
    summary: String,
    count: usize,
    refused: Vec<Line>,
    more: usize,
}

#[derive(Template)]
#[template(path = "issues/bulk/result.html")]
struct ResultPage {
    frame: Frame,
    title: String,
    changed: Vec<Line>,
    unchanged: Vec<Line>,
    more: usize,
    /// The ids and the time of the change, if it can be taken back.
    undo: Option<(String, i64)>,
    list: String,
}

/// Shows the form.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, Vec::new(), None)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    messages: Vec<String>,
    outcome: Option<&BulkOutcome>,
) -> Result<Reply, Error> {
    request.require_user()?;
    let selected = access::found(request, Selection::load(request, db))?;
    if selected.issues.is_empty() {
        return Err(access::missing(request));
    }
    let title = format!("Edit {}", issues_in_words(selected.issues.len()));
    let frame = Frame::new(request, db, &title).with_width(Width::Medium);
    let fields = fields(request, db, &selected.issues)?;
    let mut messages = messages;
    if selected.missing > 0 {
        messages.push(format!(
            "{} of the selected issues are not available.",
            selected.missing
        ));
    }
    if selected.is_cut {
        messages.push(format!(
            "The list has more issues. At most {} can change at once; these are the first.",
            bulk::MAX_ISSUES
        ));
    }
    let page = EditPage {
        title,
        messages,
        ids: joined(&selected.ids()),
        clearable: clearable(&fields, &request.body),
        fields,
        preview: outcome.map(|outcome| preview(&selected.issues, outcome)),
        frame,
    };
    render(&page.frame, &page)
}

fn preview(selected: &[Issue], outcome: &BulkOutcome) -> Preview {
    let count = outcome.changed.len();
    let refused = outcome.refused.iter();
    let lines = refused.take(MAX_NAMED).map(|(id, reason)| {
        let issue = selected.iter().find(|issue| issue.id == *id);
        line(*id, issue, reason)
    });
    Preview {
        summary: match outcome.refused.len() {
            0 => format!("All {} can change.", issues_in_words(count)),
            refused => format!(
                "{count} of {} can change; {refused} cannot.",
                count + refused
            ),
        },
        count,
        refused: lines.collect(),
        more: outcome.refused.len().saturating_sub(MAX_NAMED),
    }
}

fn line(id: IssueId, issue: Option<&Issue>, reason: &str) -> Line {
    Line {
        id: id.0,
        subject: issue.map_or(String::new(), |issue| issue.subject.clone()),
        reason: reason.to_owned(),
    }
}

/// Previews the change, or saves it for the issues that can have all values.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let show_page = |messages: Vec<String>, outcome: Option<&BulkOutcome>| {
        request.app.read(|db| page(request, db, messages, outcome))
    };
    let action = field(request, "do");
    let change = match issue_fields::parse(request, &to_update(&request.body)) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => {
            let reply = show_page(errors.messages(), None)?;
            return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        Err(error) => return Err(error),
    };
    if action == "edit" {
        return show_page(Vec::new(), None);
    }
    let is_empty = change
        == IssueChange {
            private_notes: change.private_notes.clone(),
            ..IssueChange::default()
        };
    if is_empty {
        let reply = show_page(vec!["Change something first.".to_owned()], None)?;
        return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    if action != "save" {
        let outcome = try_out(request, ids, change)?;
        return show_page(Vec::new(), Some(&outcome));
    }
    let all = joined(&ids);
    let (changed, at) = request.write(move |db, viewer| -> Result<_, ActionError> {
        let outcome = bulk::update_many(db, viewer, &ids, &change)?;
        Ok((outcome.changed.len(), db.now()))
    })?;
    let flash = Flash::notice(match changed {
        0 => "Nothing is changed.".to_owned(),
        1 => "1 issue is changed.".to_owned(),
        count => format!("{count} issues are changed."),
    });
    let at = at.as_microsecond();
    Ok(redirect_with(
        request,
        format!("/issues/bulk_edit/result?at={at}&ids={all}"),
        &flash,
    ))
}

/// Returns what the change would do: it runs in a transaction that is rolled back.
fn try_out(
    request: &RequestContext,
    ids: Vec<IssueId>,
    change: IssueChange,
) -> Result<BulkOutcome, Error> {
    let slot: Arc<Mutex<Option<BulkOutcome>>> = Arc::default();
    let result = Arc::clone(&slot);
    let rolled_back = request.write(move |db, viewer| -> Result<(), Error> {
        let outcome = bulk::update_many(db, viewer, &ids, &change)?;
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

/// Shows which issues have changed, and the button that takes it back.
pub fn result(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let ids = ids(request);
    let at = time(request.query.get("at"));
    let all = bulk::list_editable(db, viewer, &ids)?;
    let changed = match at {
        Some(at) => bulk::changed_at(db, viewer, &ids, at)?,
        None => Vec::new(),
    };
    let unchanged = all
        .iter()
        .filter(|issue| changed.iter().all(|changed| changed.id != issue.id));
    let title = "Changed issues";
    let changed_ids: Vec<IssueId> = changed.iter().map(|issue| issue.id).collect();
    let undo = at.filter(|at| !changed.is_empty() && bulk::can_undo(db, *at));
    let page = ResultPage {
        frame: Frame::new(request, db, title).with_width(Width::Medium),
        title: title.to_owned(),
        changed: changed
            .iter()
            .take(MAX_NAMED)
            .map(|issue| line(issue.id, Some(issue), ""))
            .collect(),
        unchanged: unchanged
            .take(MAX_NAMED)
            .map(|issue| line(issue.id, Some(issue), ""))
            .collect(),
        more: changed.len().saturating_sub(MAX_NAMED),
        undo: undo.map(|at| (joined(&changed_ids), at.as_microsecond())),
        list: format!("/issues?status_id=*&issue_id={}", joined(&changed_ids)),
    };
    render(&page.frame, &page)
}

fn time(value: Option<&Input>) -> Option<Timestamp> {
    let text = value.and_then(Input::as_text)?;
    Timestamp::from_microsecond(text.trim().parse().ok()?).ok()
}

/// Takes back a change.
pub fn undo(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let list = format!("/issues?status_id=*&issue_id={}", joined(&ids));
    let Some(at) = time(request.body.get("at")) else {
        return Err(Error::BadRequest("at must be a time".to_owned()));
    };
    let outcome = request.write(move |db, viewer| bulk::undo(db, viewer, &ids, at));
    let flash = match outcome {
        Ok(outcome) if outcome.refused.is_empty() => Flash::notice(format!(
            "{} as before. Notes stay.",
            match outcome.changed.len() {
                1 => "1 issue is".to_owned(),
                count => format!("{count} issues are"),
            }
        )),
        Ok(outcome) => Flash {
            kind: FlashKind::Error,
            text: refused_in_words(&outcome),
        },
        Err(Error::Invalid(errors)) => Flash {
            kind: FlashKind::Error,
            text: errors.messages().join(". "),
        },
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, list, &flash))
}

fn refused_in_words(outcome: &BulkOutcome) -> String {
    let named = outcome.refused.iter().take(10);
    let named: Vec<String> = named
        .map(|(id, reason)| format!("#{id} ({reason})"))
        .collect();
    let more = outcome.refused.len().saturating_sub(named.len());
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!(
        "{} as before; these are not: {}{more}.",
        outcome.changed.len(),
        named.join(", ")
    )
}
