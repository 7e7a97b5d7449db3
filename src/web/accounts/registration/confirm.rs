//! `/account/activate?token=…`: somebody confirms the account that they have created.

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::login_form;
use crate::form::field;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::registration as actions;

const PATH: &str = "/account/activate";
/// Maximum number of characters of a token that is looked up.
const MAX_TOKEN: usize = 100;

const INVALID: &str = "This link is not valid. It was used or has expired.";
const CONFIRMED: &str = "Your account is confirmed. Log in with your password.";

/// `GET`: asks for confirmation, because programs follow links in mails.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let token = request.query_param("token").unwrap_or_default();
    page(request, db, &token, ValidationErrors::new())
}

/// `POST`: activates the account.
pub fn confirm(request: &RequestContext) -> Result<Reply, Error> {
    let token: String = field(request, "token").chars().take(MAX_TOKEN).collect();
    let again = |errors| {
        let reply = request.app.read(|db| page(request, db, &token, errors))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    if let Err(errors) = login_form::check_csrf(request) {
        return again(errors);
    }
    let sent_token = token.clone();
    match request.write(move |db, _| actions::confirm(db, &sent_token)) {
        Ok(()) => Ok(redirect_with(
            request,
            "/login".to_owned(),
            &Flash::notice(CONFIRMED),
        )),
        // The page shows that the link is not valid.
        Err(Error::NotFound) => again(ValidationErrors::new()),
        Err(error) => Err(error),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    token: &str,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let (frame, cookie) = login_form::frame(request, db, "Confirm your account");
    let login = match token.chars().count() {
        0..=MAX_TOKEN => actions::find(db, token)?,
        _ => None,
    };
    let form = match login {
        None => FormPage::new(frame, PATH, Vec::new()).with_refusal(INVALID),
        Some(login) => {
            let token = FormField::new(FieldKind::Hidden, "token", "", token);
            FormPage::new(frame, PATH, vec![token])
                .with_paragraph(format!(
                    "You have created the account {login}. If it was not you, close this page."
                ))
                .with_submit("Confirm the account")
        }
    };
    let form = form.with_cancel("/login").with_errors(errors);
    login_form::render(form, cookie)
}
