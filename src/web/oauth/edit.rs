//! `/oauth/applications/:id`: shows and changes an application.

use super::application_form::{ApplicationForm, Errors, audit, find, parse};
use crate::form::check_password;
use crate::form::show_again;
use crate::frame::{Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::users::Actor;
use quarry_actions::{ActionError, oauth};
use quarry_domain::accounts::oauth::Application;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

const SAVED: &str = "The application is saved.";

#[derive(Template)]
#[template(path = "oauth/edit.html")]
struct EditPage {
    frame: Frame,
    application: Application,
    form: ApplicationForm,
    /// About the password for a new secret.
    secret_error: Option<String>,
}

/// `GET /oauth/applications/:id`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let form = ApplicationForm::from_application(&find(request, db)?);
    page(request, db, form, None)
}

/// `POST /oauth/applications/:id`: changes name, redirect URIs and scopes.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let before = request.app.read(|db| find(request, db))?;
    let change = parse(request);
    if let Some(error) = check_password(request)? {
        return show_again(request, |db| {
            page(
                request,
                db,
                ApplicationForm::from_change(&change, Errors::password(error)),
                None,
            )
        });
    }
    let id = before.id;
    let requested = change.clone();
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match oauth::update(db, Actor::Viewer(viewer), id, &requested) {
            Err(ActionError::Invalid(invalid)) => Ok(Err(invalid)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    match outcome {
        Ok(()) => {
            audit(request, &before.client_id, "updated");
            Ok(redirect_with(
                request,
                paths::application(id),
                &Flash::notice(SAVED),
            ))
        }
        Err(invalid) => show_again(request, |db| {
            page(
                request,
                db,
                ApplicationForm::from_change(&change, Errors::new(invalid)),
                None,
            )
        }),
    }
}

/// Renders the form.
pub fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: ApplicationForm,
    secret_error: Option<String>,
) -> Result<Reply, Error> {
    let application = find(request, db)?;
    let frame =
        Frame::for_administration(request, db, application.name.clone()).with_width(Width::Medium);
    let frame = frame.below("OAuth applications", "/oauth/applications");
    let page = EditPage {
        frame,
        application,
        form,
        secret_error,
    };
    render(&page.frame, &page)
}
