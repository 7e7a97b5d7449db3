//! Authentication: credentials, settings and the switch-user header determine the user of a
//! request.

use super::audit::{
    log_wrong_key, log_wrong_token, logged_login, record_refusal, record_switch, user_with_login,
};
use super::client::Peer;
use super::credentials::{self, Credentials};
use super::format::ResponseFormat;
use super::session::{self, RequestSession};
use super::used_credential::UsedCredential;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use crate::server::limits::client_id::network_of;
use crate::server::limits::logins::{Account, Guess, LoginLimits};
use crate::server::state::HttpState;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::oauth::AccessToken;
use quarry_actions::accounts::{sessions, sign_in};
use quarry_app::App;
use quarry_domain::accounts::oauth::Scopes;
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::{Actor, AuditEvent, Origin, RecordType};
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use quarry_store::Read;
use quarry_store::accounts::oauth::grants;
use quarry_store::accounts::{sessions as stored_sessions, users};
use quarry_wire::Input;
use std::net::IpAddr;
use std::sync::Arc;

const DISABLED: &str = "The REST API is disabled; an administrator must enable the REST web service (Administration → Settings → API)";
const MISSING: &str = "Authentication is required; send an API key in the header X-Service-API-Key, or use HTTP Basic";
const TWO_FACTOR: &str = "This account uses two-factor authentication; send its API key in the header X-Service-API-Key, not the password";
const TWO_FACTOR_REQUIRED: &str = "This account needs two-factor authentication; log in with a browser to set it up, and send the API key in \
                                   the header X-Service-API-Key, not the password";
const INVALID: &str = "The credentials are wrong or the account is not active; check the API key, or login and password";

/// The address and the purpose of a request, on which it depends which credentials count.
#[derive(Clone, Copy)]
pub struct Access {
    /// The address of the client.
    pub address: IpAddr,
    /// The other end of the connection.
    pub peer: Peer,
    /// Whether the request is for a page, or for a part of one such as an image. Sessions then
    /// count even while the REST API is disabled.
    pub is_page: bool,
    /// Who may send it.
    pub authentication: Authentication,
}

/// Whether a request must be authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// As the settings say: anonymous may send it unless a login is required.
    Required,
    /// Anonymous may always send it, as the login form itself.
    Optional,
    /// The credentials are not those of a user; the handler checks them, as for an OAuth client.
    Skipped,
}

/// Prefixes of paths that are parts of pages in whatever format.
const PARTS_OF_PAGES: [&str; 3] = [
    "/attachments/download/",
    "/attachments/thumbnail/",
    "/search/suggest",
];

/// Whether the request is for a page or a part of one.
pub fn is_page(format: ResponseFormat, path: &str) -> bool {
    format == ResponseFormat::Page || PARTS_OF_PAGES.iter().any(|prefix| path.starts_with(prefix))
}

/// Who sent a request.
pub struct Sender {
    /// The user; `None` for anonymous.
    pub user: Option<UserId>,
    /// The session, even if it is incomplete and authenticates nobody.
    pub session: Option<RequestSession>,
    /// What authenticated the user.
    pub credential: UsedCredential,
    /// The scopes of the access token; `None` if the user authenticated by other means.
    pub scopes: Option<Scopes>,
    /// Whether cookies of this request are for TLS only.
    pub is_secure: bool,
}

/// Returns the sender of the request; anonymous where that is allowed.
///
/// API keys, sessions and recently verified passwords are looked up at once. Any other password
/// must be hashed, which is slow on purpose, and waits for a permit (see
/// [`LoginThrottle`](crate::server::limits::logins::LoginThrottle)).
pub async fn authenticate(
    state: &HttpState,
    query: &Input,
    parts: &Parts,
    access: Access,
) -> Result<Sender, Error> {
    let app = &state.app;
    let headers = &parts.headers;
    let credentials = match access.authentication {
        Authentication::Skipped => Credentials::None,
        _ => credentials::parse(query, headers),
    };
    let lookup = app.read(|db| -> Result<_, Error> {
        let is_secure = session::is_secure(app, db.catalogue(), access.peer, headers);
        let session = match credentials {
            Credentials::None if access.authentication != Authentication::Skipped => {
                find_session(db, headers, is_secure)?
            }
            _ => None,
        };
        let complete = session
            .as_ref()
            .filter(|session| session.is_complete())
            .map(|session| session.session.user);
        let identity = match access.authentication {
            Authentication::Skipped => Identity::Anonymous,
            _ => look_up(db, &credentials, complete, access)?,
        };
        Ok((Arc::clone(db.catalogue()), identity, session, is_secure))
    });
    let (catalogue, identity, session, is_secure) = lookup?;
    let mut scopes = None;
    let mut credential = session.as_ref().map_or(UsedCredential::None, |session| {
        let session = &session.session;
        UsedCredential::Session(session.user, session.id)
    });
    let user = match identity {
        Identity::User(user) => {
            match &credentials {
                Credentials::Key(key) => {
                    credential = UsedCredential::ApiKey(user, vec![key.clone()])
                }
                Credentials::Basic(login, password) => {
                    credential =
                        UsedCredential::ApiKey(user, vec![login.clone(), password.clone()]);
                }
                Credentials::None | Credentials::Invalid | Credentials::Bearer(_) => {}
            }
            Some(user)
        }
        Identity::Token(token) => {
            record_token_use(app, &token);
            scopes = Some(token.scopes);
            if let Credentials::Bearer(text) = &credentials {
                credential = UsedCredential::AccessToken(text.clone());
            }
            Some(token.user)
        }
        Identity::Password(stored, login, password) => {
            let user = check_password(
                state,
                &catalogue,
                &stored,
                &login,
                &password,
                access.address,
            )
            .await?;
            credential = UsedCredential::Password(
                user,
                catalogue
                    .users
                    .get(&user)
                    .and_then(|user| user.passwd_changed_on),
            );
            Some(user)
        }
        Identity::Unknown => {
            log_wrong_key(app, access.address);
            return Err(Error::Unauthenticated(INVALID));
        }
        Identity::InvalidToken { is_issued } => {
            log_wrong_token(app, is_issued, access.address);
            return Err(Error::InvalidToken);
        }
        Identity::Anonymous
            if catalogue.is_on(Setting::LoginRequired)
                && access.authentication == Authentication::Required =>
        {
            return Err(Error::Unauthenticated(MISSING));
        }
        Identity::Anonymous => None,
    };
    if let Some(found) = &session {
        record_use(app, found, access.address);
        return Ok(Sender {
            user,
            session,
            credential,
            scopes: None,
            is_secure,
        });
    }
    let (user, scopes) = switch_user(app, &catalogue, user, (scopes, &credential), parts, access)?;
    Ok(Sender {
        user,
        session,
        credential,
        scopes,
        is_secure,
    })
}

/// Returns the session of the cookie, unless it has ended.
fn find_session(
    db: &Read<'_>,
    headers: &HeaderMap,
    is_secure: bool,
) -> Result<Option<RequestSession>, Error> {
    let Some(token) = session::session_token(headers, is_secure) else {
        return Ok(None);
    };
    let session = sessions::find(db, &token)?;
    Ok(session.map(|session| RequestSession {
        session,
        csrf_token: session::csrf_token(db.secrets(), &token),
    }))
}

/// Records that the session was used, once in a few minutes and without waiting for the disk.
fn record_use(app: &App, session: &RequestSession, address: IpAddr) {
    if session::is_touch_due(&session.session, app.clock.now()) {
        let id = session.session.id;
        let address = address.to_string();
        app.store
            .write_later(move |db| stored_sessions::set_used(db, id, &address));
    }
}

/// Records that the token was used, once in a few minutes and without waiting for the disk.
fn record_token_use(app: &App, token: &AccessToken) {
    if oauth::is_use_due(token, app.clock.now()) {
        let grant = token.grant;
        app.store.write_later(move |db| grants::set_used(db, grant));
    }
}

/// Verifies login and password, and logs each attempt that needs a hash. An unknown or locked
/// account takes as long as a wrong password.
async fn check_password(
    state: &HttpState,
    catalogue: &Catalogue,
    stored: &sign_in::StoredPassword,
    login: &str,
    password: &str,
    address: IpAddr,
) -> Result<UserId, Error> {
    let app = &state.app;
    let fingerprint = fingerprint(app, stored, login, password, address);
    if let Some(user) = app.cached_login(&fingerprint) {
        return may_use_password(catalogue, user).map(|()| user);
    }
    let limits = LoginLimits::from_settings(catalogue);
    let attempt = state
        .logins
        .acquire(Account::Login(login), address, limits)
        .await
        .inspect_err(|_| log_delay(app, catalogue, login, address))?;
    // Another request may have verified the same password while this one waited.
    if let Some(user) = app.cached_login(&fingerprint) {
        run_blocking(|| {
            attempt.succeed();
            Ok(())
        })?;
        return may_use_password(catalogue, user).map(|()| user);
    }
    let user = run_blocking(|| {
        attempt.compare(|permit| {
            let user = stored.verify(permit, password);
            Ok((Guess::from_match(user.is_some()), user))
        })
    })?;
    let Some(user) = user else {
        log_failure(app, catalogue, login, address);
        return Err(Error::Unauthenticated(INVALID));
    };
    run_blocking(|| {
        record_login(app, stored, password, fingerprint, user, address);
        Ok(())
    })?;
    let logged = logged_login(login);
    tracing::info!(target: "audit", { user.login = logged, client.address = %address, login.outcome = "success" }, "logged in");
    may_use_password(catalogue, user).map(|()| user)
}

/// Logs a password that was not compared because of earlier failures.
pub(super) fn log_delay(app: &App, catalogue: &Catalogue, login: &str, address: IpAddr) {
    record_refusal(
        app,
        Origin::Password,
        user_with_login(catalogue, login),
        address,
    );
    let logged = logged_login(login);
    tracing::warn!(target: "audit", { user.login = logged, client.address = %address, login.outcome = "delayed" }, "a login was not checked");
}

/// Logs a wrong password, or an unknown login.
pub(super) fn log_failure(app: &App, catalogue: &Catalogue, login: &str, address: IpAddr) {
    record_refusal(
        app,
        Origin::Password,
        user_with_login(catalogue, login),
        address,
    );
    let logged = logged_login(login);
    tracing::warn!(target: "audit", { user.login = logged, client.address = %address, login.outcome = "failure" }, "a login failed");
}

/// What the credentials of a request identify.
enum Identity {
    Anonymous,
    /// A wrong key, or malformed credentials.
    Unknown,
    /// An access token that is not accepted, and whether this service has issued it.
    InvalidToken {
        is_issued: bool,
    },
    User(UserId),
    /// A valid access token.
    Token(AccessToken),
    /// Login and password that must be verified.
    Password(sign_in::StoredPassword, String, String),
}

fn look_up(
    db: &Read<'_>,
    credentials: &Credentials,
    session: Option<UserId>,
    access: Access,
) -> Result<Identity, Error> {
    let is_for_browser = access.is_page && *credentials == Credentials::None;
    if !is_for_browser && !db.catalogue().is_on(Setting::RestApiEnabled) {
        return Err(Error::Unauthenticated(DISABLED));
    }
    Ok(match credentials {
        Credentials::None => session.map_or(Identity::Anonymous, Identity::User),
        Credentials::Invalid => Identity::Unknown,
        Credentials::Bearer(token) => match oauth::authenticate(db, token)? {
            Some(token) => Identity::Token(token),
            None => Identity::InvalidToken {
                is_issued: oauth::is_issued(db, token)?,
            },
        },
        Credentials::Key(key) => {
            sign_in::find_by_key(db, key)?.map_or(Identity::Unknown, Identity::User)
        }
        // An API key is looked up first, because that is cheap: as the user name (Redmine) or as
        // the password (compatibility 4).
        Credentials::Basic(login, password) => match find_by_either_key(db, login, password)? {
            Some(user) => Identity::User(user),
            None => Identity::Password(
                sign_in::stored_password(db, login)?,
                login.clone(),
                password.clone(),
            ),
        },
    })
}

fn find_by_either_key(db: &Read<'_>, login: &str, password: &str) -> Result<Option<UserId>, Error> {
    match sign_in::find_by_key(db, login)? {
        Some(user) => Ok(Some(user)),
        None => Ok(sign_in::find_by_key(db, password)?),
    }
}

/// Fails for accounts that cannot use their password here: with a second factor or where one is
/// required, or when the password must be changed (compatibility 4). Called only after the password
/// was verified, so that it reveals nothing to others.
fn may_use_password(catalogue: &Catalogue, user: UserId) -> Result<(), Error> {
    let policy = TwoFactorPolicy::for_user(catalogue, user);
    match catalogue.users.get(&user) {
        Some(user) if policy.asks_for_code(user) => Err(Error::Unauthenticated(TWO_FACTOR)),
        Some(user) if policy.requires_set_up(user) => {
            Err(Error::Unauthenticated(TWO_FACTOR_REQUIRED))
        }
        Some(user) if user.must_change_password => Err(Error::Forbidden),
        _ => Ok(()),
    }
}

/// Updates the time of the last login, and replaces an outdated hash or caches the verified
/// password.
fn record_login(
    app: &App,
    stored: &sign_in::StoredPassword,
    password: &str,
    fingerprint: [u8; 32],
    user: UserId,
    address: IpAddr,
) {
    let actor = Actor::at(address, Some(user), Origin::Password);
    let event = AuditEvent::new(RecordType::Login, user, "succeeded").of_principal(user.into());
    update_last_login(app, user, Some((actor, event)));
    if stored.is_outdated() {
        rehash(app, stored, password);
    } else {
        app.cache_login(fingerprint, user);
    }
}

/// Returns the cache key of a password that was verified for a client in this network. From
/// elsewhere it must be verified again, within the limits on guesses.
fn fingerprint(
    app: &App,
    stored: &sign_in::StoredPassword,
    login: &str,
    password: &str,
    address: IpAddr,
) -> [u8; 32] {
    app.store.secrets().fingerprint(&[
        login,
        password,
        stored.hash(),
        &network_of(address).to_string(),
    ])
}

/// Stores the time of the login. Logins from the cache are not stored, so that a series of requests
/// costs one write.
///
/// With an event, the audit log gets it in the same transaction.
pub(super) fn update_last_login(app: &App, user: UserId, event: Option<(Actor, AuditEvent)>) {
    let stored = app.store.write(move |db| {
        if let Some((actor, event)) = event {
            db.set_actor(actor);
            db.audit(event);
        }
        users::set_last_login(db, user)
    });
    if let Err(error) = stored {
        tracing::warn!(error = %error, "the time of a login could not be stored");
    }
}

/// Replaces an outdated password hash. A failure is logged only: the password is right, so the
/// login succeeds.
pub(super) fn rehash(app: &App, stored: &sign_in::StoredPassword, password: &str) {
    let stored = stored.clone();
    let password = password.to_owned();
    if let Err(error) = app
        .store
        .write(move |db| sign_in::upgrade_hash(db, &stored, &password))
    {
        tracing::warn!(error = %error, "the hash of a password could not be replaced by a stronger one");
    }
}

/// Switches to another user if an administrator requests it, and logs that. The header is ignored
/// for all others (compatibility 4), and with an access token unless it has the scope `admin`; that
/// includes every permission, so it limits the other user to nothing.
fn switch_user(
    app: &App,
    catalogue: &Catalogue,
    user: Option<UserId>,
    (scopes, credential): (Option<Scopes>, &UsedCredential),
    parts: &Parts,
    access: Access,
) -> Result<(Option<UserId>, Option<Scopes>), Error> {
    let headers = &parts.headers;
    let address = access.address;
    let Some(login) = credentials::switch_to_login(headers) else {
        return Ok((user, scopes));
    };
    let Some(admin) = user
        .and_then(|id| catalogue.users.get(&id))
        .filter(|user| user.admin && scopes.is_none_or(|scopes| scopes.admin))
    else {
        return Ok((user, scopes));
    };
    let target = catalogue
        .user_by_login(&login)
        .filter(|user| user.status == UserStatus::Active);
    let outcome = if target.is_some() {
        "success"
    } else {
        "failure"
    };
    let logged = logged_login(&login);
    tracing::info!(target: "audit", { user.login = admin.login, client.address = %address, switch.to = logged, switch.outcome = outcome }, "switched user");
    if let Some(target) = target {
        record_switch(app, admin.id, target.id, || {
            app.read(|db| credential.actor(db, Some(admin.id), address.to_string()))
        })?;
    }
    target
        .map(|user| (Some(user.id), scopes.map(|_| Scopes::all())))
        .ok_or(Error::InvalidSwitchUser)
}
