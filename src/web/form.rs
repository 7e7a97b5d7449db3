//! What forms share: their fields, the check of the current password before a sensitive change, and
//! the audit log.

pub(crate) mod choices;
pub(crate) mod custom_fields;
pub(crate) mod form_merge;

use crate::components::form_field::OWN_PASSWORD;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_domain::accounts::user::User;
use quarry_domain::validation::ValidationError;
use quarry_http::SecretCheck;
pub use quarry_http::{audit_account as audit, audit_user};

const NO_PASSWORD: &str = "Enter your password.";
/// The message beside a new password that was typed differently the second time.
pub const PASSWORDS_DIFFER: &str = "The two passwords differ.";

/// The message for a wrong current password.
const WRONG_PASSWORD: &str = "This is not your password.";

/// Returns a field of the form, empty if it is missing.
pub fn field(request: &RequestContext, name: &str) -> String {
    request
        .body
        .get(name)
        .and_then(Input::as_text)
        .unwrap_or_default()
        .into_owned()
}

/// Returns a parameter of the query that is a number; `None` if it is missing or something else.
pub fn number_param(request: &RequestContext, name: &str) -> Option<i64> {
    request
        .query_param(name)
        .and_then(|text| text.parse::<i64>().ok())
}

/// Shows a form again, with what is wrong with it: 422.
pub fn show_again(
    request: &RequestContext,
    page: impl FnOnce(&Read<'_>) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    let reply = request.app.read(page)?;
    Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
}

/// Saves a form. `change` parses the body and runs the action. When it succeeds, redirects to the
/// address that `saved` returns, with its message; when the form is invalid, `page` shows it again
/// with the errors.
pub fn save<T>(
    request: &RequestContext,
    change: impl FnOnce() -> Result<T, Error>,
    saved: impl FnOnce(T) -> Result<(String, String), Error>,
    page: impl FnOnce(&Read<'_>, ValidationErrors) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    match change() {
        Ok(value) => {
            let (address, message) = saved(value)?;
            Ok(redirect_with(request, address, &Flash::notice(message)))
        }
        Err(error) => show_errors(request, error, Box::new(page)),
    }
}

/// Saves a form that is answered with something else than a redirect: the same with the whole
/// reply.
pub fn save_with_reply<T>(
    request: &RequestContext,
    change: impl FnOnce() -> Result<T, Error>,
    reply: impl FnOnce(T) -> Result<Reply, Error>,
    page: impl FnOnce(&Read<'_>, ValidationErrors) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    match change() {
        Ok(value) => reply(value),
        Err(error) => show_errors(request, error, Box::new(page)),
    }
}

/// A page with a form and what is wrong with it.
type ErrorPage<'p> = Box<dyn FnOnce(&Read<'_>, ValidationErrors) -> Result<Reply, Error> + 'p>;

/// Shows an invalid form again. Fails with the error when it is not one of the form.
fn show_errors(
    request: &RequestContext,
    error: Error,
    page: ErrorPage<'_>,
) -> Result<Reply, Error> {
    let errors = match error {
        Error::Invalid(errors) | Error::Undeletable(errors) => errors,
        Error::Conflict(message) => ValidationError::for_record(message).into(),
        error => return Err(error),
    };
    show_again(request, |db| page(db, errors))
}

/// Whether a checkbox of the form is on.
pub fn is_checked(request: &RequestContext, name: &str) -> bool {
    field(request, name) == "1"
}

/// Returns the user of the request.
pub fn user<'c>(request: &RequestContext, db: &'c Read<'_>) -> Result<&'c User, Error> {
    db.catalogue()
        .users
        .get(&request.require_user()?)
        .ok_or(Error::NotFound)
}

/// Returns the message for attempts that come too early.
pub fn delay_message(seconds: u64) -> String {
    let unit = if seconds == 1 { "second" } else { "seconds" };
    format!("There were too many failed attempts. Try again in {seconds} {unit}.")
}

/// Fails with an error of [`OWN_PASSWORD`] unless the field `password` has the password of the user
/// of the request. The route must guard it, as for [`check_password`].
pub fn require_password(request: &RequestContext) -> Result<(), Error> {
    match check_password(request)? {
        None => Ok(()),
        Some(message) => Err(Error::Invalid(
            ValidationError::new(OWN_PASSWORD, "", &message).into(),
        )),
    }
}

/// Checks the password of the user of the request, in the field `password`. Returns the message for
/// the field when it is wrong or missing. The route must guard it
/// ([`GuardedSecret::OwnPassword`](quarry_http::GuardedSecret)).
pub fn check_password(request: &RequestContext) -> Result<Option<String>, Error> {
    let login = request
        .app
        .read(|db| user(request, db).map(|user| user.login.clone()))?;
    let password = field(request, "password");
    Ok(match request.verify_password(&login, &password)? {
        SecretCheck::Right(_) => None,
        SecretCheck::Wrong => Some(WRONG_PASSWORD.to_owned()),
        SecretCheck::Delayed(seconds) => Some(delay_message(seconds)),
        SecretCheck::Missing => Some(NO_PASSWORD.to_owned()),
    })
}
