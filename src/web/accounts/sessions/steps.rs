//! The steps of a login after the password: the code of the second factor (`/login/code`), a new
//! password (`/login/password`), and the set-up of a second factor (`/login/two_factor`, in
//! `second_factor.rs`).

use super::start::{StartedSession, finish, next_step, start};
use super::{back_url, resume};
use crate::accounts::totp_key::TotpKey;
use crate::form::{PASSWORDS_DIFFER, delay_message, field};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::passwords;
use quarry_actions::accounts::passwords::CurrentPassword;
use quarry_actions::accounts::two_factor;
use quarry_domain::accounts::session::{Session, SessionStep};
use quarry_domain::administration::audit::Origin;
use quarry_http::{Guess, PostedForm, SecretCheck, record_refusal};

#[derive(Template)]
#[template(path = "accounts/sessions/step.html")]
struct StepPage {
    frame: Frame,
    step: SessionStep,
    /// The key of the app while the second factor is set up.
    key: Option<TotpKey>,
    back_url: String,
    posted: Option<PostedForm>,
    error: Option<String>,
}

/// The fields that a step passes on to the next one.
pub struct Carried {
    /// Where the login leads.
    pub back_url: String,
    /// A form that waits for the login.
    pub posted: Option<PostedForm>,
}

impl Carried {
    /// Reads the fields from the form of a step.
    pub fn from_body(body: &Input) -> Carried {
        let back_url = body
            .get("back_url")
            .and_then(Input::as_text)
            .unwrap_or_default()
            .into_owned();
        Carried {
            back_url,
            posted: resume::posted_form(body),
        }
    }
}

/// `GET /login/code`, `GET /login/password` and `GET /login/two_factor`: the form of the step that
/// is due.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let Some(session) = request.incomplete_session() else {
        return Ok(Reply::redirect("/login".to_owned()));
    };
    let carried = Carried {
        back_url: String::new(),
        posted: None,
    };
    page(
        request,
        db,
        &session.session,
        session.csrf_token.clone(),
        carried,
        None,
    )
}

/// Goes on with a login: with the next step, or to the page that asked for the login.
pub fn proceed(
    request: &RequestContext,
    started: &StartedSession,
    back_url: &str,
    posted: Option<PostedForm>,
) -> Result<Reply, Error> {
    let session = &started.session;
    if session.step == SessionStep::Complete {
        return finish(request, started, back_url, posted, Vec::new());
    }
    if session.step == SessionStep::SetUpSecondFactor {
        let user = session.user;
        // The session of the request may have just been replaced, so its credential is not checked.
        request
            .app
            .store
            .write_with_reserve(move |db| two_factor::prepare(db, user))?;
    }
    let (_, csrf_token) = request.session_cookie(session, &started.token);
    let carried = Carried {
        back_url: back_url.to_owned(),
        posted,
    };
    let reply = request
        .app
        .read(|db| page(request, db, session, csrf_token, carried, None))?;
    Ok(started.add_cookies(request, reply))
}

/// Returns the status and the message for the form with a code that was not accepted.
pub(super) fn code_error<T>(check: &SecretCheck<T>, wrong: &str) -> (StatusCode, String) {
    match check {
        SecretCheck::Delayed(seconds) => (StatusCode::TOO_MANY_REQUESTS, delay_message(*seconds)),
        SecretCheck::Missing => (StatusCode::UNPROCESSABLE_ENTITY, "Enter a code.".to_owned()),
        SecretCheck::Wrong | SecretCheck::Right(_) => {
            (StatusCode::UNPROCESSABLE_ENTITY, wrong.to_owned())
        }
    }
}

/// `POST /login/code`: checks the code of the app, or a recovery code.
pub fn check_code(request: &RequestContext) -> Result<Reply, Error> {
    let Some(pending) = pending(request, SessionStep::SecondFactor)? else {
        return Ok(Reply::see_other("/login".to_owned()));
    };
    let carried = Carried::from_body(&request.body);
    let code = field(request, "code");
    let user = pending.user;
    let check = request.check_secret(|permit| {
        let is_right = request.write_login_step(user, move |db| -> Result<bool, Error> {
            Ok(two_factor::verify(db, permit, user, &code)?)
        })?;
        Ok(is_right.then_some(()))
    })?;
    if check != SecretCheck::Right(()) {
        if check == SecretCheck::Wrong {
            tracing::warn!(target: "audit", { user.id = user.0, client.address = %request.address() }, "a code of a second factor was wrong");
            record_refusal(&request.app, Origin::Session, Some(user), request.address());
        }
        let (status, message) = code_error(
            &check,
            "This code is not valid. Each code can be used once; wait for the next one.",
        );
        return again(request, status, carried, message);
    }
    let started = start(
        request,
        user,
        next_step(request, user, true)?,
        pending.is_persistent,
    )?;
    proceed(request, &started, &carried.back_url, carried.posted)
}

/// `POST /login/password`: replaces a password that must be changed.
pub fn update_password(request: &RequestContext) -> Result<Reply, Error> {
    let Some(pending) = pending(request, SessionStep::NewPassword)? else {
        return Ok(Reply::see_other("/login".to_owned()));
    };
    let carried = Carried::from_body(&request.body);
    let new = field(request, "new_password");
    if new != field(request, "new_password_confirmation") {
        return again(
            request,
            StatusCode::UNPROCESSABLE_ENTITY,
            carried,
            PASSWORDS_DIFFER.to_owned(),
        );
    }
    let user = pending.user;
    let check = request.compare_secret(|permit| {
        let current = CurrentPassword::Stored(permit);
        let update = request.write_login_step(user, move |db| -> Result<(), Error> {
            Ok(passwords::update(db, user, current, &new)?)
        });
        // This step follows the right password, so a comparison with it is no guess.
        Ok((Guess::Uncounted, update))
    })?;
    match check {
        SecretCheck::Right(Ok(())) => {}
        SecretCheck::Right(Err(Error::Invalid(errors))) => {
            return again(
                request,
                StatusCode::UNPROCESSABLE_ENTITY,
                carried,
                errors.messages().join(". "),
            );
        }
        SecretCheck::Right(Err(error)) => return Err(error),
        SecretCheck::Delayed(seconds) => {
            return again(
                request,
                StatusCode::TOO_MANY_REQUESTS,
                carried,
                delay_message(seconds),
            );
        }
        SecretCheck::Wrong | SecretCheck::Missing => {
            return again(
                request,
                StatusCode::UNPROCESSABLE_ENTITY,
                carried,
                "Enter a password.".to_owned(),
            );
        }
    }
    tracing::info!(target: "audit", { user.id = user.0, client.address = %request.address() }, "changed the password");
    let started = start(
        request,
        user,
        next_step(request, user, true)?,
        pending.is_persistent,
    )?;
    proceed(request, &started, &carried.back_url, carried.posted)
}

/// Returns the session that waits for this step; `None` when there is none, such as after ten
/// minutes.
pub fn pending(request: &RequestContext, step: SessionStep) -> Result<Option<Session>, Error> {
    let Some(session) = request
        .incomplete_session()
        .filter(|session| session.session.step == step)
    else {
        return Ok(None);
    };
    request.require_csrf()?;
    Ok(Some(session.session.clone()))
}

/// Shows the form of the step again, with what is wrong.
pub fn again(
    request: &RequestContext,
    status: StatusCode,
    carried: Carried,
    error: String,
) -> Result<Reply, Error> {
    let Some(session) = request.incomplete_session() else {
        return Ok(Reply::see_other("/login".to_owned()));
    };
    let reply = request.app.read(|db| {
        page(
            request,
            db,
            &session.session,
            session.csrf_token.clone(),
            carried,
            Some(error),
        )
    })?;
    Ok(reply.with_status(status))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    session: &Session,
    csrf_token: String,
    carried: Carried,
    error: Option<String>,
) -> Result<Reply, Error> {
    let title = if session.step == SessionStep::NewPassword {
        "Choose a new password"
    } else {
        "Two-factor authentication"
    };
    let key = match db.catalogue().users.get(&session.user) {
        Some(user) if session.step == SessionStep::SetUpSecondFactor => TotpKey::load(db, user)?,
        _ => None,
    };
    let mut frame = Frame::new(request, db, title)
        .with_width(Width::Slim)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    let target = back_url::target(&carried.back_url);
    let back_url = if target == "/" {
        String::new()
    } else {
        target.to_owned()
    };
    let page = StepPage {
        frame,
        step: session.step,
        key,
        back_url,
        posted: carried.posted,
        error,
    };
    render(&page.frame, &page)
}
