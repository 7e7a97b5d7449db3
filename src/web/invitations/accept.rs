//! `/invitation?token=…`: an invited user chooses a password, and is logged in.

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::form::{PASSWORDS_DIFFER, field};
use crate::frame::{Flash, Frame, Width};
use crate::render::redirect_with;
use crate::sessions::{next_step, start};
use axum::http::StatusCode;
use quarry_actions::invitations as actions;
use quarry_domain::accounts::session::SessionStep;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

const PATH: &str = "/invitation";
/// Maximum number of characters of a token that is looked up.
const MAX_TOKEN: usize = 100;

const INVALID: &str = "This link is not valid. It was used, has expired, or was replaced by a newer one. Ask an administrator for a new link.";
const WELCOME: &str = "Your password is set. You are logged in.";
const LOG_IN: &str = "Your password is set. Log in with it.";

/// `GET`: the form for the password.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let token = request.query_param("token").unwrap_or_default();
    page(request, db, &token, ValidationErrors::new())
}

/// `POST`: sets the password, and logs the user in. If a second factor is required, they log in
/// themselves.
pub fn accept(request: &RequestContext) -> Result<Reply, Error> {
    let token: String = field(request, "token").chars().take(MAX_TOKEN).collect();
    let password = field(request, "password");
    let again = |errors| {
        let reply = request.app.read(|db| page(request, db, &token, errors))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    if request.require_login_csrf().is_err() {
        let message = "Send the form once more. The browser must accept cookies.";
        return again(ValidationError::for_record(message).into());
    }
    if password != field(request, "password_confirmation") {
        let error = ValidationError::new("password_confirmation", "", PASSWORDS_DIFFER);
        return again(error.into());
    }
    let sent_token = token.clone();
    let user = match request.write(move |db, _| actions::accept(db, &sent_token, &password)) {
        Ok(user) => user,
        Err(Error::Invalid(errors)) => return again(errors),
        // The page says that the link is not valid.
        Err(Error::NotFound) => return again(ValidationErrors::new()),
        Err(error) => return Err(error),
    };
    if next_step(request, user, false)? != SessionStep::Complete {
        return Ok(redirect_with(
            request,
            "/login".to_owned(),
            &Flash::notice(LOG_IN),
        ));
    }
    let started = start(request, user, SessionStep::Complete, false)?;
    let reply = redirect_with(request, "/".to_owned(), &Flash::notice(WELCOME));
    Ok(started.add_cookies(request, reply))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    token: &str,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let (csrf_token, cookie) = request.login_csrf();
    let mut frame = Frame::new(request, db, "Welcome")
        .with_width(Width::Slim)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    let invited = match token.chars().count() {
        0..=MAX_TOKEN => actions::find(db, token)?,
        _ => None,
    };
    let user = invited.and_then(|id| catalogue.users.get(&id));
    let Some(user) = user else {
        return FormPage::new(frame, PATH, Vec::new())
            .with_refusal(INVALID)
            .with_cancel("/login")
            .render();
    };
    let min = catalogue.min_password_length();
    let fields = vec![
        FormField::new(FieldKind::Hidden, "token", "", token),
        FormField::new(FieldKind::NewPassword, "password", "Password", "")
            .required()
            .with_hint(format!("At least {min} characters.")),
        FormField::new(
            FieldKind::NewPassword,
            "password_confirmation",
            "Password again",
            "",
        )
        .required(),
    ];
    let reply = FormPage::new(frame, PATH, fields)
        .with_heading(format!("Welcome, {}", user.name))
        .with_paragraph(format!("Your login is {}. Choose a password.", user.login))
        .with_submit("Set password")
        .with_errors(errors)
        .render()?;
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}
