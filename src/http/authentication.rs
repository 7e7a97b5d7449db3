//! Who asks: credentials, settings and the switch-user header come down to one user, nobody, or a refusal.

use super::credentials::{self, Credentials};
use super::error::Error;
use super::handler::{HttpState, run_blocking};
use super::limits::LoginLimits;
use crate::actions::sign_in;
use crate::app::App;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::UserId;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::store::{Read, users};
use crate::wire::Input;
use axum::http::HeaderMap;
use std::net::IpAddr;
use std::sync::Arc;

/// How many characters of a login that somebody has sent go into the log.
const MAX_LOGGED: usize = 60;

const DISABLED: &str = "The REST API is disabled; an administrator must enable the REST web service (Administration → Settings → API)";
const MISSING: &str = "Authentication is required; send an API key in the header X-Service-API-Key, or use HTTP Basic";
const TWO_FACTORS: &str = "This account uses two-factor authentication; send its API key in the header X-Service-API-Key, not the password";
const WRONG: &str = "The credentials are wrong or the account is not active; check the API key, or login and password";

/// The user whose request this is; `None` for somebody who is not logged in, where that is allowed.
///
/// Keys, and passwords that were found right a short while ago, are known at once. Another password is compared, which takes long on
/// purpose, when its turn comes (see [`LoginThrottle`](super::limits::LoginThrottle)).
pub async fn authenticate(state: &HttpState, query: &Input, headers: &HeaderMap, address: IpAddr) -> Result<Option<UserId>, Error> {
    let app = &state.app;
    let credentials = credentials::read(query, headers);
    let found = app.store.read(|db| -> Result<_, Error> { Ok((look_up(db, &credentials)?, Arc::clone(db.catalogue()))) });
    let (found, catalogue) = found?;
    let user = match found {
        Found::User(user) => Some(user),
        Found::Claim(claim, login, password) => Some(check_password(state, &catalogue, &claim, &login, &password, address).await?),
        Found::Nobody => return Err(Error::Unauthenticated(WRONG)),
        Found::Nothing if catalogue.is_on(Setting::LoginRequired) => return Err(Error::Unauthenticated(MISSING)),
        Found::Nothing => None,
    };
    switch(&catalogue, user, headers, address)
}

/// The user with this password, and one line in the log for each attempt that takes a comparison. An unknown or locked account takes as
/// long as a wrong password.
async fn check_password(
    state: &HttpState,
    catalogue: &Catalogue,
    claim: &sign_in::Claim,
    login: &str,
    password: &str,
    address: IpAddr,
) -> Result<UserId, Error> {
    let app = &state.app;
    let fingerprint = fingerprint(app, claim, login, password);
    if let Some(user) = app.remembered(&fingerprint) {
        return may_use_password(catalogue, user).map(|()| user);
    }
    let number = |setting| catalogue.setting(setting).parse().unwrap_or(0);
    let limits = LoginLimits { per_account: number(Setting::FailedLoginsPerAccount), per_address: number(Setting::FailedLoginsPerAddress) };
    let shown: String = login.chars().take(MAX_LOGGED).collect();
    let attempt = state.logins.acquire(login, address, limits).await.inspect_err(|_| {
        tracing::warn!(user.login = ?shown, client.address = %address, login.outcome = "delayed", "a login was not checked");
    })?;
    // Another request may have brought the same password while this one waited.
    let user = match app.remembered(&fingerprint) {
        Some(user) => user,
        None => match run_blocking(|| Ok(claim.holds(password)))? {
            Some(user) => {
                run_blocking(|| {
                    remember(app, claim, password, fingerprint, user);
                    Ok(())
                })?;
                tracing::info!(user.login = ?shown, client.address = %address, login.outcome = "success", "logged in");
                user
            }
            None => {
                attempt.fail();
                tracing::warn!(user.login = ?shown, client.address = %address, login.outcome = "failure", "a login failed");
                return Err(Error::Unauthenticated(WRONG));
            }
        },
    };
    attempt.succeed();
    may_use_password(catalogue, user).map(|()| user)
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

fn remember(app: &App, claim: &sign_in::Claim, password: &str, fingerprint: [u8; 32], user: UserId) {
    note_login(app, user);
    if claim.is_outdated() {
        renew(app, claim, password);
    } else {
        app.remember(fingerprint, user);
    }
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

/// Administrators may act as another user, and each time a line in the log says so; from anybody else the header is ignored (contract 2).
fn switch(catalogue: &Catalogue, user: Option<UserId>, headers: &HeaderMap, address: IpAddr) -> Result<Option<UserId>, Error> {
    let Some(login) = credentials::switch_to(headers) else { return Ok(user) };
    let Some(admin) = user.and_then(|id| catalogue.users.get(&id)).filter(|user| user.admin) else { return Ok(user) };
    let other = catalogue.user_by_login(&login).filter(|user| user.status == UserStatus::Active);
    let outcome = if other.is_some() { "success" } else { "failure" };
    let shown: String = login.chars().take(MAX_LOGGED).collect();
    tracing::info!(user.login = ?admin.login, client.address = %address, switch.to = ?shown, switch.outcome = outcome, "switched user");
    other.map(|user| Some(user.id)).ok_or(Error::Unswitchable)
}
