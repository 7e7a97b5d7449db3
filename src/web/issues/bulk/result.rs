//! `/issues/bulk_edit/result`: which issues have changed, and taking that back.

use super::form::{Line, MAX_NAMED};
use super::phrases::{issues, reasons};
use super::selection::{back, ids, join_ids};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, FlashKind, Frame, Width};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_actions::issues::bulk;
use quarry_actions::issues::bulk::{BulkAction, BulkOutcome};

#[derive(Template)]
#[template(path = "issues/bulk/result.html")]
struct ResultPage {
    frame: Frame,
    title: String,
    changed: Vec<Line>,
    /// Number of changed issues that the page does not name.
    more_changed: usize,
    unchanged: Vec<Line>,
    more_unchanged: usize,
    /// The ids and the time of the change, if it can be taken back.
    undo: Option<(String, i64)>,
    /// The changed issues as a list.
    list: String,
    /// The list from which the selection came.
    back: String,
}

/// Shows which issues have changed, and the button that takes it back.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let ids = ids(request);
    let at = time(request.query.get("at"));
    let all = bulk::list_permitted(db, viewer, &ids, BulkAction::Edit)?;
    let changed = match at {
        Some(at) => bulk::changed_at(db, viewer, &ids, at)?,
        None => Vec::new(),
    };
    let is_unchanged = |id: IssueId| changed.iter().all(|changed| changed.id != id);
    let unchanged: Vec<_> = all.iter().filter(|issue| is_unchanged(issue.id)).collect();
    let changed_ids: Vec<IssueId> = changed.iter().map(|issue| issue.id).collect();
    let undo = at.filter(|at| !changed.is_empty() && bulk::can_undo(db, *at));
    let title = "Changed issues";
    let page = ResultPage {
        frame: Frame::new(request, db, title).with_width(Width::Medium),
        title: title.to_owned(),
        more_changed: changed.len().saturating_sub(MAX_NAMED),
        more_unchanged: unchanged.len().saturating_sub(MAX_NAMED),
        changed: changed
            .iter()
            .take(MAX_NAMED)
            .map(|issue| Line::new(issue.id, Some(issue), ""))
            .collect(),
        unchanged: unchanged
            .iter()
            .take(MAX_NAMED)
            .map(|issue| Line::new(issue.id, Some(issue), ""))
            .collect(),
        undo: undo.map(|at| (join_ids(&changed_ids), at.as_microsecond())),
        list: list_of(&changed_ids),
        back: back(request),
    };
    render(&page.frame, &page)
}

/// Returns the address of the list of these issues.
pub fn list_of(ids: &[IssueId]) -> String {
    format!("/issues?status_id=*&issue_id={}", join_ids(ids))
}

fn time(value: Option<&Input>) -> Option<Timestamp> {
    let text = value.and_then(Input::as_text)?;
    Timestamp::from_microsecond(text.trim().parse().ok()?).ok()
}

/// `POST /issues/bulk_edit/undo`: takes back a change.
pub fn undo(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let Some(at) = time(request.body.get("at")) else {
        return Err(Error::BadRequest("at must be a time".to_owned()));
    };
    let list = list_of(&ids);
    let outcome = request.write(move |db, viewer| bulk::undo(db, viewer, &ids, at));
    let (kind, text) = match outcome {
        Ok(outcome) => undone(&outcome),
        Err(Error::Invalid(errors)) => (FlashKind::Error, errors.messages().join(". ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, list, &Flash { kind, text }))
}

fn undone(outcome: &BulkOutcome) -> (FlashKind, String) {
    let done = match outcome.changed.len() {
        0 => "Nothing was undone".to_owned(),
        count => format!("The change of {} was undone; notes stay", issues(count)),
    };
    if outcome.refused.is_empty() {
        (FlashKind::Notice, format!("{done}."))
    } else {
        let reasons = reasons(&outcome.refused);
        (FlashKind::Error, format!("{done}. Not undone: {reasons}."))
    }
}
