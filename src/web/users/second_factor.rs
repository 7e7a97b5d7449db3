//! `/users/:id/two_factor`: switches the second factor of another user off.

use super::edit::find;
use crate::actions::users::{self as actions, Actor};
use crate::domain::ids::UserId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::form::{audit_user, check_password};
use crate::web::frame::{Flash, Frame, Width};
use crate::web::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;

#[derive(Template)]
#[template(path = "users/two_factor.html")]
struct SecondFactorPage {
    frame: Frame,
    id: UserId,
    is_on: bool,
    error: Option<String>,
}

/// `GET /users/:id/two_factor`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.viewer().user == Some(find(request, db)?.id) {
        return Ok(Reply::redirect("/my/two_factor".to_owned()));
    }
    page(request, db, None)
}

/// `POST /users/:id/two_factor`: switches it off. The sessions of the user end.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find(request, db).map(|user| (user.id, user.login.clone())))?;
    if request.viewer().user == Some(id) {
        return Ok(Reply::see_other("/my/two_factor".to_owned()));
    }
    if let Some(error) = check_password(request)? {
        let reply = request.app.read(|db| page(request, db, Some(error)))?;
        return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let change = request.write(move |db, viewer| {
        actions::switch_off_second_factor(db, Actor::Viewer(viewer), id)
    })?;
    audit_user(request, id, &login, &[change]);
    Ok(redirect_with(
        request,
        format!("/users/{id}/edit"),
        &Flash::notice("Two-factor authentication of the user is off."),
    ))
}

fn page(request: &RequestContext, db: &Read<'_>, error: Option<String>) -> Result<Reply, Error> {
    let user = find(request, db)?;
    let frame = Frame::new(
        request,
        db,
        format!("Two-factor authentication of {}", user.name),
    )
    .with_width(Width::Slim);
    let frame = frame
        .below("Users", "/users")
        .below(user.name.as_str(), format!("/users/{}/edit", user.id));
    let page = SecondFactorPage {
        frame,
        id: user.id,
        is_on: user.has_second_factor(),
        error,
    };
    render(&page.frame, &page)
}
