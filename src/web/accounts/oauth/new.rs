//! `/oauth/applications/new`: registers an application.

use super::application_form::{audit, parse_application, sections};
use super::secret;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::FormPage;
use crate::form::{require_password, save_with_reply};
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::users::Actor;

/// `GET /oauth/applications/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST /oauth/applications/new`: registers the application, and shows its client id and secret.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    save_with_reply(
        request,
        || {
            require_password(request)?;
            let change = parse_application(request);
            request.write(move |db, viewer| oauth::create(db, Actor::Viewer(viewer), &change))
        },
        |(application, secret)| {
            audit(request, &application.client_id, "created");
            request
                .app
                .read(|db| secret::secret_page(request, db, &application, secret))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let frame = Frame::for_administration(request, db, "New application")
        .with_width(Width::Medium)
        .below("OAuth applications", "/oauth/applications");
    let sections = sections(None, FieldBuilder::without_object(&request.body));
    FormPage::with_sections(frame, "/oauth/applications/new", sections)
        .with_submit("Register")
        .with_cancel("/oauth/applications")
        .with_errors(errors)
        .render()
}
