//! `POST /setup`: checks the code, and sets the installation up.

use super::form::{Errors, SetupForm};
use super::show::page;
use super::welcome;
use crate::actions::{ActionError, setup};
use crate::domain::ids::UserId;
use crate::domain::session::SessionStep;
use crate::http::{Error, Reply, RequestContext, SecretCheck};
use crate::web::form::field;
use crate::web::frame::Flash;
use crate::web::render::redirect_with;
use crate::web::sessions::{delay_message, start};
use axum::http::StatusCode;
use std::sync::Arc;

const WRONG_CODE: &str = "This is not the code that the service has printed since its last start.";

/// With the code alone, shows the rest of the form. With all fields, sets up and logs the
/// administrator in.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let app = &request.app;
    if !app.needs_setup() {
        return Ok(Reply::see_other("/".to_owned()));
    }
    let form = SetupForm::from_body(request);
    let again = |asks_for_code: bool, status: StatusCode, form: &SetupForm, errors: Errors| {
        let reply = app.read(|db| {
            page(
                request,
                db.catalogue(),
                asks_for_code,
                form.clone(),
                errors,
                db,
            )
        })?;
        Ok(reply.with_status(status))
    };
    // Without a login, a form that was filled in is shown again as a whole.
    let is_complete = request.body.get("login").is_some();
    if request.require_login_csrf().is_err() {
        let errors = Errors::one(
            "other",
            "Send the form once more. The browser must accept cookies.",
        );
        return again(
            !is_complete,
            StatusCode::UNPROCESSABLE_ENTITY,
            &form,
            errors,
        );
    }
    let check = request.check_secret(|permit| {
        Ok(app
            .setup
            .accepts(permit, app.store.secrets(), &form.code)
            .then_some(()))
    })?;
    match check {
        SecretCheck::Right(()) => {}
        SecretCheck::Delayed(seconds) => {
            return again(
                !is_complete,
                StatusCode::TOO_MANY_REQUESTS,
                &form,
                Errors::one("code", delay_message(seconds)),
            );
        }
        SecretCheck::Missing => {
            return again(
                !is_complete,
                StatusCode::UNPROCESSABLE_ENTITY,
                &form,
                Errors::one("code", "Enter the code."),
            );
        }
        SecretCheck::Wrong => {
            tracing::warn!(target: "audit", { client.address = %request.address() }, "a code for the set-up was wrong");
            return again(
                !is_complete,
                StatusCode::UNPROCESSABLE_ENTITY,
                &form,
                Errors::one("code", WRONG_CODE),
            );
        }
    }
    if !is_complete {
        return again(
            false,
            StatusCode::OK,
            &SetupForm::with_code(request, form.code),
            Errors::default(),
        );
    }
    let password = field(request, "password");
    let repeated = field(request, "password_confirmation");
    if password != repeated {
        let errors = Errors::one("password_confirmation", "The two passwords differ.");
        return again(false, StatusCode::UNPROCESSABLE_ENTITY, &form, errors);
    }
    let new = form.installation(password);
    let clock = Arc::clone(&app.clock);
    let entropy = Arc::clone(&app.entropy);
    match app
        .store
        .write(move |db| setup::set_up(db, &new, clock.as_ref(), entropy.as_ref()))
    {
        Ok((admin, _)) => finish(request, &form, admin),
        Err(ActionError::Invalid(messages)) => again(
            false,
            StatusCode::UNPROCESSABLE_ENTITY,
            &form,
            Errors::from_messages(messages),
        ),
        // Somebody with the code was faster.
        Err(ActionError::Conflict(_)) => Ok(Reply::see_other("/login".to_owned())),
        Err(error) => Err(error.into()),
    }
}

/// Logs the administrator in, unless the session would need TLS and this request has none.
fn finish(request: &RequestContext, form: &SetupForm, admin: UserId) -> Result<Reply, Error> {
    tracing::info!(target: "audit", { user.login = ?form.login, client.address = %request.address() }, "set up the installation");
    let needs_tls = form.protocol == "https" && !form.host_name.is_empty();
    if needs_tls && !request.is_secure() {
        return request.app.read(|db| {
            welcome::at_another_address(request, db, format!("https://{}/login", form.host_name))
        });
    }
    let (session, token) = start(request, admin, SessionStep::Complete, false)?;
    let reply = redirect_with(
        request,
        "/admin/welcome".to_owned(),
        &Flash::notice("The installation is set up. You are logged in."),
    );
    Ok(reply.with_cookie(request.session_cookie(&session, &token).0))
}
