//! What the login form and other forms with passwords need of a request: the verification of passwords, within the limits on attempts.

use super::authentication::{log_failure, rehash, update_last_login};
use super::context::RequestContext;
use super::session::{self, RequestSession};
use crate::actions::sign_in;
use crate::domain::ids::UserId;
use crate::domain::session::Session;
use crate::http::error::Error;
use crate::wire::Input;
use axum::http::header;

/// The result of a check of a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordCheck {
    /// The password is that of this user.
    Correct(UserId),
    /// The password is wrong, or there is no such active account.
    Wrong,
    /// It was not checked because of earlier failures; the seconds until the next attempt.
    Delayed(u64),
}

impl RequestContext {
    /// Returns the complete session of the request.
    pub fn session(&self) -> Option<&RequestSession> {
        self.head_session().filter(|session| session.is_complete())
    }

    /// Returns the session of a login that still requires a step.
    pub fn incomplete_session(&self) -> Option<&RequestSession> {
        self.head_session().filter(|session| !session.is_complete())
    }

    /// Returns the token that forms must send: that of the session, or of the login form in this browser.
    pub fn csrf_token(&self) -> Option<String> {
        match self.head_session() {
            Some(session) => Some(session.csrf_token.clone()),
            None => self.login_value().map(|value| session::csrf_token(self.app.store.secrets(), &value)),
        }
    }

    /// Fails unless the form or the header has the token of the session. A request without a session has nothing that another site could
    /// abuse; but a form with a token was loaded within a session, which has ended since.
    pub fn require_csrf(&self) -> Result<(), Error> {
        let sent = self.sent_csrf_token();
        match (self.head_session(), sent) {
            (Some(session), Some(token)) if session.accepts(&token) => Ok(()),
            (Some(_), _) => Err(Error::InvalidCsrfToken),
            (None, Some(_)) if self.viewer().user.is_none() => Err(Error::Unauthenticated("Your session has ended; log in again")),
            (None, _) => Ok(()),
        }
    }

    /// Fails unless the login form was loaded in this browser.
    pub fn require_login_csrf(&self) -> Result<(), Error> {
        let sent = self.sent_csrf_token().unwrap_or_default();
        let of_form = self.login_value().map(|value| session::csrf_token(self.app.store.secrets(), &value));
        let of_session = self.head_session().map(|session| session.csrf_token.clone());
        let is_valid = [of_form, of_session].into_iter().flatten().any(|token| session::is_same(&sent, &token));
        if is_valid { Ok(()) } else { Err(Error::InvalidCsrfToken) }
    }

    fn sent_csrf_token(&self) -> Option<String> {
        let field = self.body.get("authenticity_token").and_then(Input::as_text).map(|token| token.into_owned());
        field.or_else(|| self.header("x-csrf-token").map(str::to_owned))
    }

    fn login_value(&self) -> Option<String> {
        session::login_value(self.headers(), self.is_secure())
    }

    /// Returns the token of the login form, with the `Set-Cookie` value that belongs to it if the browser has none yet.
    pub fn login_csrf(&self) -> (String, Option<String>) {
        let secrets = self.app.store.secrets();
        match self.login_value() {
            Some(value) => (session::csrf_token(secrets, &value), None),
            None => {
                let value = session::fresh_login_value(self.app.entropy.as_ref());
                (session::csrf_token(secrets, &value), Some(session::login_cookie(&value, self.is_secure())))
            }
        }
    }

    /// Returns the `Set-Cookie` value of a new session, with the token of its forms.
    pub fn session_cookie(&self, session: &Session, token: &str) -> (String, String) {
        (session::session_cookie(session, token, self.is_secure()), session::csrf_token(self.app.store.secrets(), token))
    }

    /// Returns the `Set-Cookie` value that removes the session from the browser.
    pub fn removed_session_cookie(&self) -> String {
        session::removed_session_cookie(self.is_secure())
    }

    /// Returns the `User-Agent`, empty if there is none.
    pub fn user_agent(&self) -> &str {
        self.header(header::USER_AGENT.as_str()).unwrap_or_default()
    }

    /// Verifies a password, which takes long on purpose, and as long for an unknown or locked account as for a wrong password. The route
    /// must limit logins, see [`RouteHandler`](crate::http::RouteHandler). Not within a read: an outdated hash is replaced.
    pub fn verify_password(&self, login: &str, password: &str) -> Result<PasswordCheck, Error> {
        if let Some(seconds) = self.login_delay() {
            return Ok(PasswordCheck::Delayed(seconds));
        }
        let stored = self.app.read(|db| sign_in::stored_password(db, login))?;
        let Some(user) = stored.verify(password) else {
            self.record_attempt(false);
            log_failure(login, self.address());
            return Ok(PasswordCheck::Wrong);
        };
        self.record_attempt(true);
        if stored.is_outdated() {
            rehash(&self.app, &stored, password);
        }
        update_last_login(&self.app, user);
        Ok(PasswordCheck::Correct(user))
    }
}
