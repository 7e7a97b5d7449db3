//! `/users/:id/delete`: deletes a user, after a page that asks for confirmation.

use super::edit::find;
use crate::actions::ActionError;
use crate::actions::users::{self as actions, Actor};
use crate::domain::ids::UserId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::form::{audit_user, check_password};
use crate::web::frame::{Flash, Frame, Width};
use crate::web::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "users/delete.html")]
struct DeletePage {
    frame: Frame,
    id: UserId,
    name: String,
    login: String,
    /// Why the user cannot be deleted, or what else is wrong.
    refusal: Option<String>,
    /// About the password of the administrator.
    error: Option<String>,
}

/// `GET /users/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, None)
}

/// `POST /users/:id/delete`: deletes the user.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find(request, db).map(|user| (user.id, user.login.clone())))?;
    let again = |refusal: Option<String>, error: Option<String>| {
        let reply = request.app.read(|db| page(request, db, refusal, error))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    if let Some(error) = check_password(request)? {
        return again(None, Some(error));
    }
    let clock = Arc::clone(&request.app.clock);
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match actions::delete(db, Actor::Viewer(viewer), id, clock.as_ref()) {
            Err(ActionError::Invalid(messages)) => Ok(Err(messages)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    match outcome {
        Ok(change) => {
            audit_user(request, id, &login, &[change]);
            Ok(redirect_with(
                request,
                "/users".to_owned(),
                &Flash::notice(format!("The user {login} is deleted.")),
            ))
        }
        Err(messages) => again(Some(format!("{}.", messages.join(". "))), None),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    refusal: Option<String>,
    error: Option<String>,
) -> Result<Reply, Error> {
    let user = find(request, db)?;
    let frame = Frame::new(request, db, format!("Delete {}", user.name)).with_width(Width::Slim);
    let page = DeletePage {
        frame: frame
            .below("Users", "/users")
            .below(user.name.as_str(), format!("/users/{}/edit", user.id)),
        id: user.id,
        name: user.name.clone(),
        login: user.login.clone(),
        refusal,
        error,
    };
    render(&page.frame, &page)
}
