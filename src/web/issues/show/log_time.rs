//! `/issues/:id/time_entries/new`: logs time on an issue; `POST /issues/:id/timer` measures it.

use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Width};
use crate::issues::issue_pages;
use crate::issues::time_entries::form::TimeEntryForm;
use crate::prelude::*;
use quarry_actions::issues::time_entries;
use quarry_actions::issues::time_entries::LogTarget;
use quarry_actions::issues::time_entries::timers;
use quarry_http::resources::fields;

/// Whether the viewer may log time on the issue.
pub fn may_log(request: &RequestContext, catalogue: &Catalogue, issue: &Issue) -> bool {
    timers::may_log(catalogue, request.viewer(), issue)
}

/// Returns the address of the form.
pub fn path(issue: &Issue) -> String {
    format!("{}/time_entries/new", paths::issue(issue.id))
}

fn find_issue(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    request.require_user()?;
    let issue = issue_pages::find(request, db)?;
    if may_log(request, db.catalogue(), &issue) {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET`: the form. The query string can fill it in.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: logs the time.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let issue = request.app.read(|db| find_issue(request, db))?;
    let id = issue.id;
    save(
        request,
        || {
            let change = fields::time_entry::parse(&request.body, request.viewer())?;
            request.write(move |db, viewer| {
                time_entries::create(db, viewer, LogTarget::Issue(id), &change)
            })
        },
        |_| Ok((paths::issue(id), "The time was logged.".to_owned())),
        |db, errors| page(request, db, &request.body, errors),
    )
}

/// `POST /issues/:id/timer`: starts a timer.
pub fn start_timer(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.app.read(|db| find_issue(request, db))?.id;
    let flash = match request.write(move |db, viewer| timers::start(db, viewer, id)) {
        Ok(()) => Flash::notice("The timer is running. Stop it from the header of any page."),
        Err(Error::Invalid(errors)) => Flash::error(errors.messages().join(" ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, paths::issue(id), &flash))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let issue = find_issue(request, db)?;
    let form = TimeEntryForm {
        request,
        db,
        project: issue.project,
        entry: None,
        sent,
    };
    let frame = issue_pages::frame(request, db, &issue, "Log time").with_width(Width::Narrow);
    FormPage::new(frame, path(&issue), form.fields()?)
        .with_heading("Log time")
        .with_submit("Log time")
        .with_cancel(paths::issue(issue.id))
        .with_errors(errors)
        .render()
}
