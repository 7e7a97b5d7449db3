//! `/my/password`: changes the own password.

use crate::actions::ActionError;
use crate::actions::passwords::{self, CurrentPassword};
use crate::domain::session::SessionStep;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::form::{audit, check_password, field};
use crate::web::frame::{Flash, Frame, Width};
use crate::web::render::{redirect_with, render};
use crate::web::sessions::start;
use askama::Template;
use axum::http::StatusCode;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "my/password.html")]
struct PasswordPage {
    frame: Frame,
    errors: Errors,
}

#[derive(Default)]
struct Errors {
    password: Option<String>,
    new_password: Option<String>,
    confirmation: Option<String>,
}

/// `GET /my/password`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    page(request, db, Errors::default())
}

/// `POST /my/password`: replaces the password. All sessions end; that of the request is replaced by
/// a new one.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let again = |errors: Errors| {
        let reply = request.app.read(|db| page(request, db, errors))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    let new = field(request, "new_password");
    let repeated = field(request, "new_password_confirmation");
    if new != repeated {
        return again(Errors {
            confirmation: Some("The two passwords differ.".to_owned()),
            ..Errors::default()
        });
    }
    if let Some(error) = check_password(request)? {
        return again(Errors {
            password: Some(error),
            ..Errors::default()
        });
    }
    let current = CurrentPassword::Verified(field(request, "password"));
    let clock = Arc::clone(&request.app.clock);
    let entropy = Arc::clone(&request.app.entropy);
    match request.app.store.write(move |db| {
        passwords::update(db, user, current, &new, clock.as_ref(), entropy.as_ref())
    }) {
        Ok(()) => {}
        Err(ActionError::Invalid(messages)) => {
            return again(Errors {
                new_password: Some(messages.join(". ")),
                ..Errors::default()
            });
        }
        Err(error) => return Err(error.into()),
    }
    audit(request, "password");
    let reply = redirect_with(
        request,
        "/my/account".to_owned(),
        &Flash::notice("Your password is changed."),
    );
    with_new_session(request, reply)
}

/// Gives this browser a new session in place of the one that ended with a change of the account.
pub fn with_new_session(request: &RequestContext, reply: Reply) -> Result<Reply, Error> {
    let Some(before) = request.session() else {
        return Ok(reply);
    };
    let (session, token) = start(
        request,
        before.session.user,
        SessionStep::Complete,
        before.session.is_persistent,
    )?;
    Ok(reply.with_cookie(request.session_cookie(&session, &token).0))
}

fn page(request: &RequestContext, db: &Read<'_>, errors: Errors) -> Result<Reply, Error> {
    let frame = Frame::new(request, db, "Change password")
        .with_width(Width::Slim)
        .below("My account", "/my/account");
    let page = PasswordPage { frame, errors };
    render(&page.frame, &page)
}
