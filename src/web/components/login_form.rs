//! What the forms share that people fill in without being logged in: to create or confirm an account,
//! and to choose a password with a link.

use super::form_field::{FieldKind, FormField};
use super::form_page::FormPage;
use crate::form::{PASSWORDS_DIFFER, field};
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_domain::validation::ValidationError;

const SEND_AGAIN: &str = "Send the form once more. The browser must accept cookies.";
const PASSWORD: &str = "password";
const CONFIRMATION: &str = "password_confirmation";

/// Returns the frame of such a page, and the cookie of its form if the browser has none yet.
pub fn frame(request: &RequestContext, db: &Read<'_>, title: &str) -> (Frame, Option<String>) {
    let (csrf_token, cookie) = request.login_csrf();
    let mut frame = Frame::new(request, db, title)
        .with_width(Width::Slim)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    (frame, cookie)
}

/// Renders the form with its cookie.
pub fn render(form: FormPage, cookie: Option<String>) -> Result<Reply, Error> {
    let reply = form.render()?;
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}

/// Checks that the form was sent by a page of the service.
pub fn check_csrf(request: &RequestContext) -> Result<(), ValidationErrors> {
    let sent = request.require_login_csrf();
    sent.map_err(|_| ValidationError::for_record(SEND_AGAIN).into())
}

/// Returns the two fields for a password that is chosen.
pub fn password_fields(catalogue: &Catalogue, label: &str) -> [FormField; 2] {
    let min = catalogue.min_password_length();
    let again = format!("{label} again");
    [
        FormField::new(FieldKind::NewPassword, PASSWORD, label, "")
            .required()
            .with_hint(format!("At least {min} characters.")),
        FormField::new(FieldKind::NewPassword, CONFIRMATION, again, "").required(),
    ]
}

/// Returns the password, if both fields have the same one.
pub fn password(request: &RequestContext) -> Result<String, ValidationErrors> {
    let password = field(request, PASSWORD);
    if password == field(request, CONFIRMATION) {
        Ok(password)
    } else {
        Err(ValidationError::new(CONFIRMATION, "", PASSWORDS_DIFFER).into())
    }
}
