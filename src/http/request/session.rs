//! The session of a request: its cookie, and the token that forms must send.
//!
//! The cookie is `HttpOnly` and `SameSite=Lax`; behind TLS it is also `Secure` and has the prefix
//! `__Host-`, so that neither a page of another host nor a plain connection can set it.

use super::client::{self, Peer};
use super::cookies;
use axum::http::HeaderMap;
use cookie::{Cookie, SameSite};
use jiff::SignedDuration;
use quarry_app::App;
use quarry_domain::accounts::session::{Session, SessionStep};
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::Entropy;
use quarry_store::Secrets;
use subtle::ConstantTimeEq;

/// The name of the cookie with the token of the session.
const SESSION: &str = "quarry_session";
/// The name of the cookie that ties the login form to the browser that loaded it.
const LOGIN: &str = "quarry_login";
/// The name of the cookie with the tokens of a known device.
const DEVICE: &str = "quarry_device";
/// Number of hexadecimal digits of a token of a known device.
const DEVICE_TOKEN: usize = 64;
/// The prefix of all behind TLS.
const HOST_PREFIX: &str = "__Host-";
/// Time between two updates of the time at which a session was last used.
const TOUCH_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// The session of a request.
#[derive(Debug)]
pub struct RequestSession {
    /// The session; it may be incomplete.
    pub session: Session,
    /// The token that forms of the session must send.
    pub csrf_token: String,
}

impl RequestSession {
    /// Whether the session authenticates its user.
    pub fn is_complete(&self) -> bool {
        self.session.step == SessionStep::Complete
    }

    /// Whether this is the token of the session.
    pub fn accepts(&self, token: &str) -> bool {
        is_same(token, &self.csrf_token)
    }
}

/// Whether the cookies of this request are for TLS only.
pub fn is_secure(app: &App, catalogue: &Catalogue, peer: Peer, headers: &HeaderMap) -> bool {
    let is_configured = !catalogue.setting(Setting::HostName).is_empty()
        && catalogue.setting(Setting::Protocol) == "https";
    is_configured || client::is_https(&app.config.trusted_proxies, peer, headers)
}

/// Returns the token in the cookie of the session.
pub fn session_token(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    find_cookie(headers, SESSION, is_secure)
}

/// Returns the `Set-Cookie` value for a new session. Only a persistent one outlives the browser.
pub fn session_cookie(session: &Session, token: &str, is_secure: bool) -> String {
    let mut cookie = build(SESSION, token, is_secure);
    if session.is_persistent && session.step == SessionStep::Complete {
        let lifetime = session.expires_on.duration_since(session.created_on);
        cookie.set_max_age(cookie::time::Duration::seconds(lifetime.as_secs()));
    }
    cookie.to_string()
}

/// Returns the `Set-Cookie` value that removes the cookie of the session.
pub fn removed_session_cookie(is_secure: bool) -> String {
    let mut cookie = build(SESSION, "", is_secure);
    cookie.set_max_age(cookie::time::Duration::ZERO);
    cookie.to_string()
}

/// Whether this is the `Set-Cookie` value of a session.
pub fn is_session_cookie(value: &str) -> bool {
    value
        .strip_prefix(HOST_PREFIX)
        .unwrap_or(value)
        .strip_prefix(SESSION)
        .is_some_and(|rest| rest.starts_with('='))
}

/// Returns the value of the cookie of the login form.
pub fn login_value(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    find_cookie(headers, LOGIN, is_secure)
}

/// Returns the `Set-Cookie` value for the login form.
pub fn login_cookie(value: &str, is_secure: bool) -> String {
    build(LOGIN, value, is_secure).to_string()
}

/// Returns the tokens in the cookie of a known device, at most this many.
pub fn device_tokens(headers: &HeaderMap, is_secure: bool, limit: usize) -> Vec<String> {
    let value = find_cookie(headers, DEVICE, is_secure).unwrap_or_default();
    let is_token = |text: &&str| {
        text.len() == DEVICE_TOKEN && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let tokens = value.split('.').filter(is_token).take(limit);
    tokens.map(str::to_owned).collect()
}

/// Returns the `Set-Cookie` value with the tokens of a known device.
pub fn device_cookie(tokens: &[String], lifetime: SignedDuration, is_secure: bool) -> String {
    let mut cookie = build(DEVICE, &tokens.join("."), is_secure);
    cookie.set_max_age(cookie::time::Duration::seconds(lifetime.as_secs()));
    cookie.to_string()
}

/// Returns a random value for the cookie of the login form.
pub fn fresh_login_value(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 16];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}

/// Returns the token that forms must send together with this cookie value.
pub fn csrf_token(secrets: &Secrets, cookie_value: &str) -> String {
    hex::encode(secrets.fingerprint(&["csrf", cookie_value]))
}

/// Whether two tokens are equal. The time does not depend on where they differ.
pub fn is_same(token: &str, expected: &str) -> bool {
    token.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// Whether it is time to record that the session was used.
pub fn is_touch_due(session: &Session, now: jiff::Timestamp) -> bool {
    session.step == SessionStep::Complete && now.duration_since(session.used_on) >= TOUCH_INTERVAL
}

fn cookie_name(name: &str, is_secure: bool) -> String {
    if is_secure {
        format!("{HOST_PREFIX}{name}")
    } else {
        name.to_owned()
    }
}

fn find_cookie(headers: &HeaderMap, name: &str, is_secure: bool) -> Option<String> {
    let name = cookie_name(name, is_secure);
    let value = cookies::find(headers, &name).filter(|value| !value.is_empty());
    value.map(str::to_owned)
}

fn build(name: &str, value: &str, is_secure: bool) -> Cookie<'static> {
    let cookie = Cookie::build((cookie_name(name, is_secure), value.to_owned()));
    cookie
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_secure)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderValue, header};
    use quarry_domain::ids::{SessionId, UserId};

    fn session(is_persistent: bool) -> Session {
        let start: jiff::Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        Session {
            id: SessionId(1),
            user: UserId(1),
            step: SessionStep::Complete,
            is_persistent,
            created_on: start,
            used_on: start,
            expires_on: start + SignedDuration::from_hours(24),
            ..Session::default()
        }
    }

    #[test]
    fn cookie_is_hidden_from_scripts_and_bound_to_the_host_behind_tls() {
        assert_eq!(
            session_cookie(&session(false), "abc", false),
            "quarry_session=abc; HttpOnly; SameSite=Lax; Path=/"
        );
        let secure = session_cookie(&session(true), "abc", true);
        assert_eq!(
            secure,
            "__Host-quarry_session=abc; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=86400"
        );
        assert!(removed_session_cookie(false).contains("Max-Age=0"));
    }

    #[test]
    fn behind_tls_only_the_prefixed_cookie_counts() {
        let mut headers = HeaderMap::new();
        headers.append(
            header::COOKIE,
            HeaderValue::from_static(
                "theme=dark; quarry_session=plain; __Host-quarry_session=secure",
            ),
        );
        assert_eq!(session_token(&headers, false).as_deref(), Some("plain"));
        assert_eq!(session_token(&headers, true).as_deref(), Some("secure"));
        assert_eq!(session_token(&HeaderMap::new(), true), None);
    }

    #[test]
    fn session_in_use_is_recorded_every_five_minutes() {
        let session = session(false);
        assert!(!is_touch_due(
            &session,
            session.used_on + SignedDuration::from_mins(4)
        ));
        assert!(is_touch_due(
            &session,
            session.used_on + SignedDuration::from_mins(5)
        ));
    }
}
