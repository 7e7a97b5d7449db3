//! `/account/lost_password`: a link by mail, and with it another password.
//!
//! Invariant: the answer to a request does not tell whether the account exists. Requests are limited
//! per client address, and links per account.

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::login_form;
use crate::form::field;
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::lost_passwords as actions;
use quarry_domain::validation::ValidationError;
use quarry_http::{GuardedSecret, SecretCheck};

const PATH: &str = "/account/lost_password";
const LOGIN: &str = "/login";
/// Maximum number of characters of a token or an address that is looked up.
const MAX_FIELD: usize = 254;

const DISABLED: &str =
    "Passwords are not replaced by mail here. Ask an administrator for another one.";
const INVALID: &str =
    "This link is not valid. It was used or has expired. Ask for another one on the login page.";
const SENT: &str = "If an account has this mail address, a mail with a link is on its way. The link is valid for an hour.";
const CHANGED: &str = "Your password is changed. Log in with it.";

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new().route(
        "/account/lost_password",
        get(read_handler(show).open()).post(
            write_handler(update)
                .open()
                .guarding(GuardedSecret::LostPassword),
        ),
    )
}

/// `GET`: the form for the address, or for the password of the link with this `token`.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let token = request.query_param("token").unwrap_or_default();
    page(request, db, &token, ValidationErrors::new())
}

/// `POST`: sends a link, or sets the password with the `token` of a link.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let token: String = field(request, "token").chars().take(MAX_FIELD).collect();
    let again = |errors, status| {
        let reply = request.app.read(|db| page(request, db, &token, errors))?;
        Ok(reply.with_status(status))
    };
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    if let Err(errors) = login_form::check_csrf(request) {
        return again(errors, invalid);
    }
    // Every submission counts as an attempt.
    if let SecretCheck::Delayed(seconds) = request.check_secret(|_| Ok(None::<()>))? {
        let error = ValidationError::for_record(format!(
            "Too many forms were sent from this address. Try again in {seconds} s."
        ));
        return again(error.into(), StatusCode::TOO_MANY_REQUESTS);
    }
    let (outcome, message) = if token.is_empty() {
        let address: String = field(request, "mail").chars().take(MAX_FIELD).collect();
        let sent = request.write(move |db, _| actions::request(db, &address));
        (sent, SENT)
    } else {
        let password = match login_form::password(request) {
            Ok(password) => password,
            Err(errors) => return again(errors, invalid),
        };
        let token = token.clone();
        let changed = request.write(move |db, _| actions::reset(db, &token, &password));
        (changed, CHANGED)
    };
    match outcome {
        Ok(()) => Ok(redirect_with(
            request,
            LOGIN.to_owned(),
            &Flash::notice(message),
        )),
        Err(Error::Invalid(errors)) => again(errors, invalid),
        // The page says what is wrong.
        Err(Error::NotFound) => again(ValidationErrors::new(), invalid),
        Err(Error::Forbidden) => again(ValidationErrors::new(), StatusCode::FORBIDDEN),
        Err(error) => Err(error),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    token: &str,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let (frame, cookie) = login_form::frame(request, db, "Lost password");
    let refusal = if !actions::is_offered(db)? {
        Some(DISABLED)
    } else if !token.is_empty() && find_link(db, token)?.is_none() {
        Some(INVALID)
    } else {
        None
    };
    let form = match refusal {
        Some(reason) => FormPage::new(frame, PATH, Vec::new()).with_refusal(reason),
        None if token.is_empty() => address_form(request, frame),
        None => password_form(db, frame, token),
    };
    let form = form.with_cancel(LOGIN).with_errors(errors);
    login_form::render(form, cookie)
}

fn find_link(db: &Read<'_>, token: &str) -> Result<Option<()>, Error> {
    if token.chars().count() > MAX_FIELD {
        return Ok(None);
    }
    Ok(actions::find(db, token)?.map(drop))
}

fn address_form(request: &RequestContext, frame: Frame) -> FormPage {
    let typed = field(request, "mail");
    let address = FormField::new(FieldKind::Email, "mail", "Email", typed).required();
    FormPage::new(frame, PATH, vec![address])
        .with_paragraph("You get a mail with a link, with which you choose another password.")
        .with_submit("Send the link")
}

fn password_form(db: &Read<'_>, frame: Frame, token: &str) -> FormPage {
    let token = FormField::new(FieldKind::Hidden, "token", "", token);
    FormPage::new(frame, PATH, vec![token])
        .with_fields(login_form::password_fields(db.catalogue(), "New password"))
        .with_heading("Choose another password")
        .with_submit("Change password")
}
