//! `/oauth/applications/:id/delete`: deletes an application, after a page that says what happens.

use super::application_form::{audit, find};
use crate::actions::oauth;
use crate::actions::users::Actor;
use crate::domain::oauth::Application;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, oauth::grants};
use crate::web::form::check_password;
use crate::web::frame::{Flash, Frame, Width};
use crate::web::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;

#[derive(Template)]
#[template(path = "oauth/delete.html")]
struct DeletePage {
    frame: Frame,
    application: Application,
    users: i64,
    error: Option<String>,
}

/// `GET /oauth/applications/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None)
}

/// `POST /oauth/applications/:id/delete`.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let application = request.app.read(|db| find(request, db))?;
    if let Some(error) = check_password(request)? {
        return Ok(request
            .app
            .read(|db| page(request, db, Some(error)))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let id = application.id;
    request.write(move |db, viewer| oauth::delete(db, Actor::Viewer(viewer), id).map(drop))?;
    audit(request, &application.client_id, "deleted");
    let flash = Flash::notice(format!("The application {} is deleted.", application.name));
    Ok(redirect_with(
        request,
        "/oauth/applications".to_owned(),
        &flash,
    ))
}

fn page(request: &RequestContext, db: &Read<'_>, error: Option<String>) -> Result<Reply, Error> {
    let application = find(request, db)?;
    let frame =
        Frame::new(request, db, format!("Delete {}", application.name)).with_width(Width::Slim);
    let frame = frame.below("OAuth applications", "/oauth/applications");
    let frame = frame.below(
        application.name.as_str(),
        format!("/oauth/applications/{}", application.id),
    );
    let page = DeletePage {
        frame,
        users: grants::count_users(db, application.id)?,
        application,
        error,
    };
    render(&page.frame, &page)
}
