//! Who asks: credentials, settings and the switch-user header come down to one user, nobody, or a refusal.

use super::credentials::{self, Credentials};
use super::error::Error;
use crate::actions::sign_in;
use crate::app::App;
use crate::domain::catalogue::Catalogue;
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

/// The user who asks; `None` for somebody who is not logged in, where that is allowed. Compares a password where one was sent, which
/// takes long on purpose.
pub fn authenticate(app: &App, query: &Input, headers: &HeaderMap) -> Result<Option<UserId>, Error> {
    let credentials = credentials::read(query, headers);
    let found = app.store.read(|db| -> Result<_, Error> { Ok((look_up(db, &credentials)?, Arc::clone(db.catalogue()))) });
    let (found, catalogue) = found?;
    // Outside the snapshot.
    let user = admitted(found, &catalogue, |claim, login, password| compare(app, claim, login, password))?;
    switched(&catalogue, user, headers)
}

/// The same by the snapshot of the request itself; `None` where a password has to be compared first.
pub fn recognize(app: &App, db: &Read<'_>, query: &Input, headers: &HeaderMap) -> Result<Option<Option<UserId>>, Error> {
    let mut unknown = false;
    let known = |claim: &sign_in::Claim, login: &str, password: &str| {
        let user = app.remembered(&fingerprint(app, claim, login, password));
        unknown = user.is_none();
        user
    };
    let found = look_up(db, &credentials::read(query, headers))?;
    let user = admitted(found, db.catalogue(), known);
    if unknown { Ok(None) } else { switched(db.catalogue(), user?, headers).map(Some) }
}

fn admitted(
    found: Found,
    catalogue: &Catalogue,
    compare: impl FnOnce(&sign_in::Claim, &str, &str) -> Option<UserId>,
) -> Result<Option<UserId>, Error> {
    match found {
        Found::User(user) => Ok(Some(user)),
        Found::Claim(claim, login, password) => {
            let user = compare(&claim, &login, &password).ok_or(Error::Unauthenticated(WRONG))?;
            may_use_password(catalogue, user)?;
            Ok(Some(user))
        }
        Found::Nobody => Err(Error::Unauthenticated(WRONG)),
        Found::Nothing if catalogue.is_on(Setting::LoginRequired) => Err(Error::Unauthenticated(MISSING)),
        Found::Nothing => Ok(None),
    }
}

enum Found {
    Nothing,
    Nobody,
    User(UserId),
    Claim(sign_in::Claim, String, String),
}

fn look_up(db: &Read<'_>, credentials: &Credentials) -> Result<Found, Error> {
    if !db.catalogue().is_on(Setting::RestApiEnabled) {
        return Err(Error::Unauthenticated(DISABLED));
    }
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
fn may_use_password(catalogue: &Catalogue, user: UserId) -> Result<(), Error> {
    match catalogue.users.get(&user) {
        Some(user) if user.twofa_scheme.as_deref().is_some_and(|scheme| !scheme.is_empty()) => Err(Error::Unauthenticated(TWO_FACTORS)),
        Some(user) if user.must_change_password => Err(Error::Forbidden),
        _ => Ok(()),
    }
}

fn compare(app: &App, claim: &sign_in::Claim, login: &str, password: &str) -> Option<UserId> {
    let fingerprint = fingerprint(app, claim, login, password);
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

/// What a password is remembered under.
fn fingerprint(app: &App, claim: &sign_in::Claim, login: &str, password: &str) -> [u8; 32] {
    app.store.secrets().fingerprint(&[login, password, claim.hash()])
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
fn switched(catalogue: &Catalogue, user: Option<UserId>, headers: &HeaderMap) -> Result<Option<UserId>, Error> {
    let Some(login) = credentials::switch_to(headers) else { return Ok(user) };
    if !user.and_then(|id| catalogue.users.get(&id)).is_some_and(|user| user.admin) {
        return Ok(user);
    }
    let other = catalogue.user_by_login(&login).filter(|user| user.status == UserStatus::Active);
    other.map(|user| Some(user.id)).ok_or(Error::Unswitchable)
}
