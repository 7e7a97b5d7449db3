//! `/my/timer`: the running timer, with the form that logs its time.

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::list_page::Link;
use crate::form::{field, save};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::issues::time_entries::form::{OBJECT, TimeEntryForm};
use crate::prelude::*;
use quarry_actions::issues::time_entries::timers;
use quarry_domain::access::visibility;
use quarry_domain::issues::timer::Timer;
use quarry_http::resources::fields;
use quarry_store::issues;

const PATH: &str = "/my/timer";
/// The field with the issue of the timer that the form shows.
const ISSUE: &str = "timer_issue";
const DISCARD_PATH: &str = "/my/timer/discard";

#[derive(Template)]
#[template(path = "accounts/my/timer.html")]
struct NoTimerPage {
    frame: Frame,
}

/// `GET`: the form with the time that the timer has measured.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: logs the time, and removes the timer.
pub fn log(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let timer = request.app.read(|db| timers::find(db, request.viewer()))?;
    if timer.is_none() {
        return Ok(nothing_logged(request));
    }
    let shown = IssueId(field(request, ISSUE).parse().unwrap_or(0));
    let reply = save(
        request,
        || {
            let change = fields::time_entry::parse(&request.body, request.viewer())?;
            request.write(move |db, viewer| timers::log(db, viewer, shown, &change))
        },
        |_| Ok((paths::issue(shown), "The time was logged.".to_owned())),
        |db, errors| page(request, db, &request.body, errors),
    );
    // The same form, sent twice at the same time.
    match reply {
        Err(Error::NotFound) => Ok(nothing_logged(request)),
        reply => reply,
    }
}

fn nothing_logged(request: &RequestContext) -> Reply {
    let flash = Flash::error("Nothing was logged: no timer is running.");
    redirect_with(request, PATH.to_owned(), &flash)
}

/// `GET /my/timer/discard`: asks whether to discard the timer.
pub fn confirm_discard(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    FormPage::new(frame(request, db), DISCARD_PATH, Vec::new())
        .with_heading("Discard the timer?")
        .with_paragraph("Its time is not logged.")
        .with_submit("Discard")
        .with_cancel(PATH)
        .render()
}

/// `POST /my/timer/discard`: removes the timer.
pub fn discard(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    request.write(timers::discard)?;
    let flash = Flash::notice("The timer was discarded.");
    Ok(redirect_with(request, PATH.to_owned(), &flash))
}

fn frame(request: &RequestContext, db: &Read<'_>) -> Frame {
    Frame::new(request, db, "Timer").with_width(Width::Narrow)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    request.require_user()?;
    let frame = frame(request, db);
    let Some(timer) = timers::find(db, request.viewer())? else {
        let page = NoTimerPage { frame };
        return render(&page.frame, &page);
    };
    let discard = vec![Link::new("Discard the timer", DISCARD_PATH)];
    let Some(issue) = loggable(request, db, &timer)? else {
        let reason = "Time can no longer be logged on the issue of this timer.";
        return FormPage::new(frame, PATH, Vec::new())
            .with_heading("Timer")
            .with_links(discard)
            .with_refusal(reason)
            .render();
    };
    let measured = Input::Map(vec![(
        OBJECT.to_owned(),
        Input::Map(vec![(
            "hours".to_owned(),
            Input::Text(timer.elapsed(db.now())),
        )]),
    )]);
    let is_sent = sent.get(OBJECT).is_some();
    let form = TimeEntryForm {
        request,
        db,
        project: issue.project,
        entry: None,
        sent: if is_sent { sent } else { &measured },
    };
    FormPage::new(frame, PATH, form.fields()?)
        .with_heading(format!("Log the time on #{}", issue.id))
        .with_paragraph(issue.subject.clone())
        .with_fields([FormField::new(
            FieldKind::Hidden,
            ISSUE,
            "",
            issue.id.to_string(),
        )])
        .with_links(discard)
        .with_submit("Stop and log")
        .with_cancel(paths::issue(issue.id))
        .with_errors(errors)
        .render()
}

/// Returns the issue of the timer, if the viewer may still log time on it.
fn loggable(
    request: &RequestContext,
    db: &Read<'_>,
    timer: &Timer,
) -> Result<Option<Issue>, Error> {
    let viewer = request.viewer();
    let issue = issues::find(db, visibility::issues(viewer), timer.issue)?;
    Ok(issue.filter(|issue| timers::may_log(db.catalogue(), viewer, issue)))
}
