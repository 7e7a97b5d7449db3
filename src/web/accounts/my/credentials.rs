//! What gives access to an account: password, API key, sessions, and applications that the user has
//! allowed.

use super::account;
use crate::accounts::sessions::restart;
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::form::{
    PASSWORDS_DIFFER, audit, check_password, field, require_password, save_with_reply,
};
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::passwords;
use quarry_actions::accounts::passwords::CurrentPassword;
use quarry_actions::accounts::{self, oauth, sessions};
use quarry_domain::ids::{ApplicationId, SessionId};
use quarry_domain::validation::ValidationError;
use quarry_store::accounts::users;

const PASSWORD_CHANGED: &str = "Your password is changed.";
const ACCESS_REVOKED: &str = "The application has no access any more.";
const SESSION_ENDED: &str = "The session was ended.";

/// `GET /my/password`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    page(request, db, ValidationErrors::new())
}

/// `POST /my/password`: replaces the password. All sessions end; that of the request is replaced by
/// a new one.
pub fn update_password(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    save_with_reply(
        request,
        || {
            let new = field(request, "new_password");
            if new != field(request, "new_password_confirmation") {
                let attribute = "new_password_confirmation";
                let error = ValidationError::new(attribute, "", PASSWORDS_DIFFER);
                return Err(Error::Invalid(error.into()));
            }
            require_password(request)?;
            let current = CurrentPassword::Verified(field(request, "password"));
            request.write(move |db, _| passwords::update(db, user, current, &new))
        },
        |()| {
            audit(request, "password");
            let flash = Flash::notice(PASSWORD_CHANGED);
            let reply = redirect_with(request, "/my/account".to_owned(), &flash);
            with_new_session(request, reply)
        },
        |db, errors| page(request, db, errors),
    )
}

/// Gives this browser a new session in place of the one that ended with a change of the account.
pub fn with_new_session(request: &RequestContext, reply: Reply) -> Result<Reply, Error> {
    let Some(before) = request.session() else {
        return Ok(reply);
    };
    let started = restart(request, &before.session)?;
    Ok(started.add_cookies(request, reply))
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let frame = Frame::new(request, db, "Change password")
        .with_width(Width::Slim)
        .below("My account", "/my/account");
    let new = |name, label| FormField::new(FieldKind::NewPassword, name, label, "").required();
    let fields = vec![
        FormField {
            label: "Current password".to_owned(),
            ..FormField::own_password("").required()
        },
        new("new_password", "New password").with_attribute("password"),
        new("new_password_confirmation", "New password again"),
    ];
    FormPage::new(frame, "/my/password", fields)
        .with_submit("Change password")
        .with_cancel("/my/account")
        .with_errors(errors)
        .render()
}

/// `POST /my/api_key`: shows the key (`do=show`), or replaces and shows it (`do=reset`).
pub fn replace_api_key(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_user()?;
    if let Some(error) = check_password(request)? {
        return Ok(account::show_key(request, None, Some(error))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let key = match field(request, "do").as_str() {
        "reset" => {
            let key = request.write(move |db, _| accounts::account::reset_key(db, id))?;
            audit(request, "api key");
            Some(key)
        }
        "show" => request.app.read(|db| users::api_key(db, id))?,
        _ => None,
    };
    account::show_key(request, key, None)
}

/// `POST /my/sessions`: ends the session with this id, or all but that of the request
/// (`id=others`).
pub fn end_session(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let current = request.session().map(|session| session.session.id);
    let message = match field(request, "id").as_str() {
        "others" => {
            let ended = request.write(move |db, _| sessions::end_others(db, user, current))?;
            format!(
                "{ended} {} ended.",
                if ended == 1 {
                    "session was"
                } else {
                    "sessions were"
                }
            )
        }
        id => {
            let id = id.parse().map(SessionId).map_err(|_| Error::NotFound)?;
            request.write(move |db, _| sessions::end_one(db, user, id))?;
            SESSION_ENDED.to_owned()
        }
    };
    audit(request, "sessions");
    Ok(redirect_with(
        request,
        "/my/account#sessions".to_owned(),
        &Flash::notice(message),
    ))
}

/// `POST /my/applications`: revokes everything that the application with this id was allowed.
pub fn revoke_application(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let id = field(request, "id")
        .parse()
        .map(ApplicationId)
        .map_err(|_| Error::NotFound)?;
    request.write(move |db, _| oauth::revoke_application(db, user, id))?;
    audit(request, "applications");
    Ok(redirect_with(
        request,
        "/my/account#applications".to_owned(),
        &Flash::notice(ACCESS_REVOKED),
    ))
}
