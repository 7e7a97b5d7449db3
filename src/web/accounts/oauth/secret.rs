//! `/oauth/applications/:id/secret`: replaces the secret of an application, and shows the new one
//! once.

use super::application_form::{audit, find_application};
use super::edit;
use crate::form::{check_password, show_again};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::users::Actor;
use quarry_domain::accounts::oauth::Application;

#[derive(Template)]
#[template(path = "accounts/oauth/secret.html")]
struct SecretPage {
    frame: Frame,
    application: Application,
    secret: Option<String>,
    issuer: String,
}

/// `POST /oauth/applications/:id/secret`.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let application = request.app.read(|db| find_application(request, db))?;
    if let Some(error) = check_password(request)? {
        return show_again(request, |db| {
            edit::page(request, db, ValidationErrors::new(), Some(error))
        });
    }
    let id = application.id;
    let secret =
        request.write(move |db, viewer| oauth::rotate_secret(db, Actor::Viewer(viewer), id))?;
    audit(request, &application.client_id, "secret");
    request
        .app
        .read(|db| secret_page(request, db, &application, Some(secret)))
}

/// Renders client id and secret. A public application has no secret.
pub fn secret_page(
    request: &RequestContext,
    db: &Read<'_>,
    application: &Application,
    secret: Option<String>,
) -> Result<Reply, Error> {
    let frame =
        Frame::for_administration(request, db, application.name.clone()).with_width(Width::Medium);
    let frame = frame.below("OAuth applications", "/oauth/applications");
    let page = SecretPage {
        frame,
        application: application.clone(),
        secret,
        issuer: request.base_url(),
    };
    render(&page.frame, &page)
}
