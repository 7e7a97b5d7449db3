//! `/invitation?token=…`: an invited user chooses a password, and is logged in.

use crate::accounts::sessions::{next_step, start};
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::login_form;
use crate::form::field;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::invitations as actions;
use quarry_domain::accounts::session::SessionStep;

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
    let again = |errors| {
        let reply = request.app.read(|db| page(request, db, &token, errors))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    if let Err(errors) = login_form::check_csrf(request) {
        return again(errors);
    }
    let password = match login_form::password(request) {
        Ok(password) => password,
        Err(errors) => return again(errors),
    };
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
    let (frame, cookie) = login_form::frame(request, db, "Welcome");
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
    let token = FormField::new(FieldKind::Hidden, "token", "", token);
    let form = FormPage::new(frame, PATH, vec![token])
        .with_fields(login_form::password_fields(catalogue, "Password"))
        .with_heading(format!("Welcome, {}", user.name))
        .with_paragraph(format!("Your login is {}. Choose a password.", user.login))
        .with_submit("Set password")
        .with_errors(errors);
    login_form::render(form, cookie)
}
