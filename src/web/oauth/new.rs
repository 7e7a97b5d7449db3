//! `/oauth/applications/new`: registers an application.

use super::application_form::{ApplicationForm, Errors, audit, parse};
use super::secret;
use crate::form::check_password;
use crate::form::show_again;
use crate::frame::{Frame, Width};
use crate::render::render;
use askama::Template;
use quarry_actions::users::Actor;
use quarry_actions::{ActionError, oauth};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

#[derive(Template)]
#[template(path = "oauth/new.html")]
struct NewPage {
    frame: Frame,
    form: ApplicationForm,
}

/// `GET /oauth/applications/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    new_page(request, db, ApplicationForm::new())
}

/// `POST /oauth/applications/new`: registers the application, and shows its client id and secret.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = parse(request);
    if let Some(error) = check_password(request)? {
        return show_again(request, |db| {
            new_page(
                request,
                db,
                ApplicationForm::from_change(&change, Errors::password(error)),
            )
        });
    }
    let requested = change.clone();
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match oauth::create(db, Actor::Viewer(viewer), &requested) {
            Err(ActionError::Invalid(invalid)) => Ok(Err(invalid)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    match outcome {
        Ok((application, secret)) => {
            audit(request, &application.client_id, "created");
            request
                .app
                .read(|db| secret::secret_page(request, db, &application, secret))
        }
        Err(invalid) => show_again(request, |db| {
            new_page(
                request,
                db,
                ApplicationForm::from_change(&change, Errors::new(invalid)),
            )
        }),
    }
}

fn new_page(
    request: &RequestContext,
    db: &Read<'_>,
    form: ApplicationForm,
) -> Result<Reply, Error> {
    let frame = Frame::for_administration(request, db, "New application").with_width(Width::Medium);
    let frame = frame.below("OAuth applications", "/oauth/applications");
    let page = NewPage { frame, form };
    render(&page.frame, &page)
}
