//! `/issues/new` and `/projects/:id/issues/new`: the form for a new issue.

mod address;
mod page;
mod prefilled;
mod state;
mod templates;

use crate::components::form_field::typed;
use crate::content::received_files::{ReceivedFiles, receive};
use crate::frame::Flash;
use crate::frame::local_path::local_path;
use crate::frame::render::redirect_with;
use crate::prelude::*;
pub use address::renew;
use page::page;
use quarry_actions::issues;
use quarry_domain::access::visibility;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;
use quarry_store::issues as stored_issues;
use state::{NewIssueForm, View, project_of_path};

/// `GET`: the form, filled from the query string (`issue[subject]=…`).
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let form = prefilled::with_custom_fields(&request.query);
    let view = if typed(&form, templates::ID).is_some() {
        View::WithTemplate
    } else {
        View::New
    };
    page(
        request,
        db,
        NewIssueForm {
            form,
            view,
            ..NewIssueForm::default()
        },
    )
}

/// `POST`: creates the issue, or shows the form again: with messages, or as the button says.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request.app.read(|db| -> Result<_, Error> {
        Ok(project_of_path(request, db)?.map(|project| project.id))
    })?;
    let files = receive(request)?;
    let button = typed(&request.body, "do").unwrap_or_default();
    if let Some(view) = View::from_button(&button) {
        return again(request, view, ValidationErrors::new(), files);
    }
    if !files.errors.is_empty() {
        return again(request, View::Refused, ValidationErrors::new(), files);
    }
    let mut change = match fields::issue::parse(request, &request.body) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => return again(request, View::Refused, errors, files),
        Err(error) => return Err(error),
    };
    if let Some(project) = project {
        change.project = Patch::Set(project.to_string());
    }
    // No choice means the default assignee of the category or the project.
    if change.assignee == Patch::Clear {
        change.assignee = Patch::Unset;
    }
    let uploads = files.uploads();
    let created = request.write(move |db, viewer| issues::create(db, viewer, &change, &uploads));
    let issue = match created {
        Ok(issue) => issue,
        Err(Error::Invalid(errors)) => return again(request, View::Refused, errors, files),
        Err(error) => return Err(error),
    };
    let id = issue.id;
    let is_visible = request
        .app
        .read(|db| stored_issues::find(db, visibility::issues(request.viewer()), id))?
        .is_some();
    let message = if is_visible {
        format!("Issue #{id} was created.")
    } else {
        format!("Issue #{id} was created. You cannot see it.")
    };
    let back = typed(&request.body, "back_url");
    let back = back.as_deref().and_then(local_path);
    let path = match (button.as_str(), is_visible) {
        ("continue", _) => prefilled::next_path(request, project.is_some(), issue.project),
        (_, true) if let Some(back) = back => back.to_owned(),
        (_, true) => paths::issue(id),
        (_, false) => "/issues".to_owned(),
    };
    Ok(redirect_with(request, path, &Flash::notice(message)))
}

/// Shows the form again.
fn again(
    request: &RequestContext,
    view: View,
    errors: ValidationErrors,
    files: ReceivedFiles,
) -> Result<Reply, Error> {
    let state = NewIssueForm {
        form: request.body.clone(),
        view,
        errors,
        files,
    };
    let reply = request.app.read(|db| page(request, db, state))?;
    Ok(reply.with_status(view.status()))
}
