//! Who asks: credentials, settings and the switch-user header come down to one user, nobody, or a refusal.

use super::credentials::{self, Credentials};
use super::error::Error;
use crate::actions::sign_in;
use crate::app::App;
use crate::domain::ids::UserId;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::store::{Read, users};
use crate::wire::Input;
use axum::http::HeaderMap;
use std::sync::Arc;

const DISABLED: &str = "The REST API is disabled; an administrator must enable the REST web service (Administration → Settings → API)";
const MISSING: &str = "Authentication is required; send an API key in the header X-Service-API-Key, or use HTTP Basic";
const TWO_FACTORS: &str = "This account uses two-factor authentication; send its API key in the header X-Service-API-Key, not the password";
const WRONG: &str = "The credentials are wrong or the account is not active; check the API key, or login and password";

/// The user who asks; `None` for somebody who is not logged in, where that is allowed.
pub fn authenticate(app: &App, query: &Input, headers: &HeaderMap) -> Result<Option<UserId>, Error> {
    let credentials = credentials::read(query, headers);
    let (found, login_required) = app.store.read(|db| -> Result<_, Error> {
        let catalogue = db.catalogue();
        if !catalogue.is_on(Setting::RestApiEnabled) {
            return Err(Error::Unauthenticated(DISABLED));
        }
        Ok((look_up(db, &credentials)?, catalogue.is_on(Setting::LoginRequired)))
    })?;
    let user = match found {
        Found::User(user) => Some(user),
        // Outside the snapshot: comparing a password takes long on purpose.
        Found::Claim(claim, login, password) => {
            let user = compare(app, &claim, &login, &password).ok_or(Error::Unauthenticated(WRONG))?;
            may_use_password(app, user)?;
            Some(user)
        }
        Found::Nobody => return Err(Error::Unauthenticated(WRONG)),
        Found::Nothing if login_required => return Err(Error::Unauthenticated(MISSING)),
        Found::Nothing => None,
    };
    switched(app, user, headers)
}

enum Found {
    Nothing,
    Nobody,
    User(UserId),
    Claim(sign_in::Claim, String, String),
}

fn look_up(db: &Read<'_>, credentials: &Credentials) -> Result<Found, Error> {
    let by_key = |key: &str| sign_in::by_key(db, key).map_err(Error::from);
    Ok(match credentials {
        Credentials::None => Found::Nothing,
        Credentials::Unusable => Found::Nobody,
        Credentials::Key(key) => by_key(key)?.map_or(Found::Nobody, Found::User),
        // A key is looked up first, because that costs nothing: as the user name (Redmine) or as the password (spec).
        Credentials::Basic(login, password) => match by_key(login)?.map_or_else(|| by_key(password), |user| Ok(Some(user)))? {
            Some(user) => Found::User(user),
            None => Found::Claim(sign_in::claim(db, login)?, login.clone(), password.clone()),
        },
    })
}

/// Said only to whoever knows the password: a second factor makes the password alone worth nothing (spec, "Authentication"), and
/// one that must be changed is good for nothing else (contract 2).
fn may_use_password(app: &App, user: UserId) -> Result<(), Error> {
    let catalogue = app.store.catalogue()?;
    match catalogue.users.get(&user) {
        Some(user) if user.twofa_scheme.as_deref().is_some_and(|scheme| !scheme.is_empty()) => Err(Error::Unauthenticated(TWO_FACTORS)),
        Some(user) if user.must_change_password => Err(Error::Forbidden),
        _ => Ok(()),
    }
}

fn compare(app: &App, claim: &sign_in::Claim, login: &str, password: &str) -> Option<UserId> {
    let fingerprint = app.store.secrets().fingerprint(&[login, password, claim.hash()]);
    if let Some(user) = app.remembered(&fingerprint) {
        return Some(user);
    }
    let user = claim.holds(password)?;
    note_login(app, user);
    if claim.is_outdated() {
        renew(app, claim, password);
    } else {
        app.remember(fingerprint, user);
    }
    Some(user)
}

/// Passwords that are remembered are not noted again, so that a series of requests costs one write.
fn note_login(app: &App, user: UserId) {
    let now = app.clock.now();
    if let Err(error) = app.store.write(move |db| users::set_last_login(db, user, now)) {
        tracing::warn!(error = %error, "the time of a login could not be noted");
    }
}

/// The password is right; that it cannot be kept more safely just now is no reason to turn the user away.
fn renew(app: &App, claim: &sign_in::Claim, password: &str) {
    let (claim, password, entropy) = (claim.clone(), password.to_owned(), Arc::clone(&app.entropy));
    if let Err(error) = app.store.write(move |db| sign_in::renew(db, &claim, &password, entropy.as_ref())) {
        tracing::warn!(error = %error, "the hash of a password could not be replaced by a stronger one");
    }
}

/// Administrators may look through the eyes of another user; from anybody else the header is ignored (contract 2).
fn switched(app: &App, user: Option<UserId>, headers: &HeaderMap) -> Result<Option<UserId>, Error> {
    let Some(login) = credentials::switch_to(headers) else { return Ok(user) };
    let catalogue = app.store.catalogue()?;
    if !user.and_then(|id| catalogue.users.get(&id)).is_some_and(|user| user.admin) {
        return Ok(user);
    }
    let other = catalogue.user_by_login(&login).filter(|user| user.status == UserStatus::Active);
    other.map(|user| Some(user.id)).ok_or(Error::Unswitchable)
}
