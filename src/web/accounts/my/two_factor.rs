//! `/my/two_factor`: sets the second factor up, replaces recovery codes, and switches it off.

use super::credentials::with_new_session;
use crate::accounts::sessions::restart;
use crate::accounts::totp_key::TotpKey;
use crate::form;
use crate::form::{audit, check_password, delay_message, field, user};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::two_factor;
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_http::SecretCheck;
use quarry_store::accounts::two_factor as stored;

const SWITCHED_OFF: &str = "Two-factor authentication is off.";
const NOT_SET_UP: &str = "Set two-factor authentication up first.";
const NO_CODE: &str = "Enter a code.";

const WRONG_CODE: &str =
    "This code is not valid. Check the clock of your phone, and try the next code.";

#[derive(Template)]
#[template(path = "accounts/my/two_factor.html")]
struct TwoFactorPage {
    frame: Frame,
    is_on: bool,
    /// Whether the settings require it.
    is_required: bool,
    recovery_code_count: i64,
    /// The key of the app while the second factor is set up.
    key: Option<TotpKey>,
    /// New recovery codes, shown once.
    codes: Vec<String>,
    error: Option<String>,
}

/// `GET /my/two_factor`: whether the second factor is on, and the forms to change that.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, false, Vec::new(), None, None)
}

/// `POST /my/two_factor`: each step asks for the password. While the settings switch two-factor
/// authentication off, there is no such page.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    require_enabled(&*request.app.store.catalogue()?)?;
    let user = request.require_user()?;
    let step = field(request, "do");
    if let Some(error) = check_password(request)? {
        return again(request, false, error);
    }
    match step.as_str() {
        "start" => {
            request.write(move |db, _| two_factor::prepare(db, user))?;
            request
                .app
                .read(|db| page(request, db, true, Vec::new(), None, None))
        }
        "codes" => {
            if !request
                .app
                .read(|db| form::user(request, db).map(|user| user.has_second_factor()))?
            {
                return again(request, false, NOT_SET_UP.to_owned());
            }
            let codes = request.write(move |db, _| two_factor::renew_recovery_codes(db, user))?;
            audit(request, "recovery codes");
            request
                .app
                .read(|db| page(request, db, false, codes, None, None))
        }
        "off" => {
            match request.write(move |db, _| two_factor::switch_off_own(db, user)) {
                Err(Error::Invalid(errors)) => {
                    return again(request, false, errors.messages().join(" "));
                }
                outcome => outcome?,
            }
            audit(request, "second factor off");
            let flash = Flash::notice(SWITCHED_OFF);
            with_new_session(
                request,
                redirect_with(request, "/my/account".to_owned(), &flash),
            )
        }
        _ => Err(Error::NotFound),
    }
}

fn require_enabled(catalogue: &Catalogue) -> Result<(), Error> {
    match TwoFactorPolicy::from_catalogue(catalogue) {
        TwoFactorPolicy::Disabled => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// `POST /my/two_factor/code`: switches the second factor on when the first code of the app is
/// right.
pub fn confirm(request: &RequestContext) -> Result<Reply, Error> {
    require_enabled(&*request.app.store.catalogue()?)?;
    let user = request.require_user()?;
    let code = field(request, "code");
    let check = request.check_secret(|permit| {
        request.write(move |db, _| two_factor::set_up(db, permit, user, &code))
    })?;
    let codes = match check {
        SecretCheck::Right(codes) => codes,
        SecretCheck::Delayed(seconds) => return again(request, true, delay_message(seconds)),
        SecretCheck::Missing => return again(request, true, NO_CODE.to_owned()),
        SecretCheck::Wrong => return again(request, true, WRONG_CODE.to_owned()),
    };
    audit(request, "second factor on");
    let Some(before) = request.session() else {
        return request
            .app
            .read(|db| page(request, db, false, codes, None, None));
    };
    let started = restart(request, &before.session)?;
    let (_, csrf_token) = request.session_cookie(&started.session, &started.token);
    let reply = request
        .app
        .read(|db| page(request, db, false, codes, None, Some(csrf_token)))?;
    Ok(started.add_cookies(request, reply))
}

fn again(request: &RequestContext, shows_key: bool, error: String) -> Result<Reply, Error> {
    let reply = request
        .app
        .read(|db| page(request, db, shows_key, Vec::new(), Some(error), None))?;
    Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
}

/// Renders the page; `csrf_token` is that of a session that has just started.
fn page(
    request: &RequestContext,
    db: &Read<'_>,
    shows_key: bool,
    codes: Vec<String>,
    error: Option<String>,
    csrf_token: Option<String>,
) -> Result<Reply, Error> {
    require_enabled(db.catalogue())?;
    let user = user(request, db)?;
    let is_on = user.has_second_factor();
    let key = if shows_key && !is_on {
        TotpKey::load(db, user)?
    } else {
        None
    };
    let mut frame = Frame::new(request, db, "Two-factor authentication")
        .with_width(Width::Slim)
        .below("My account", "/my/account");
    if csrf_token.is_some() {
        frame.csrf_token = csrf_token;
    }
    let is_required = TwoFactorPolicy::for_user(db.catalogue(), user.id).is_required(user);
    let page = TwoFactorPage {
        frame,
        is_on,
        is_required,
        recovery_code_count: stored::recovery_code_count(db, user.id)?,
        key,
        codes,
        error,
    };
    render(&page.frame, &page)
}
