//! Comparison of the secrets in forms, within the limits on guesses.

use super::authentication::{log_delay, log_failure, rehash, update_last_login};
use super::context::RequestContext;
use super::session::{self, RequestSession};
use crate::error::Error;
use crate::server::limits::logins::{AttemptPermission, Guess};
use axum::http::{Method, header};
use quarry_actions::accounts::{devices, sign_in};
use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::accounts::session::Session;
use quarry_domain::ids::UserId;
use quarry_wire::Input;

/// The result of a check of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretCheck<T> {
    /// The secret is right. Has the result of the comparison, such as the user.
    Right(T),
    /// The secret is wrong, or there is no such active account.
    Wrong,
    /// It was not compared because of earlier failures. Has the seconds until the next attempt.
    Delayed(u64),
    /// The form was sent without it.
    Missing,
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

    /// Returns the token that forms must send: that of the session, or of the login form in this
    /// browser.
    pub fn csrf_token(&self) -> Option<String> {
        match self.head_session() {
            Some(session) => Some(session.csrf_token.clone()),
            None => self
                .login_value()
                .map(|value| session::csrf_token(self.app.store.secrets(), &value)),
        }
    }

    /// Whether a person opens a page in a browser. A program does not, nor does a browser that loads
    /// a page before somebody follows the link.
    pub fn is_page_view(&self) -> bool {
        let is_prefetch = |name| {
            self.header(name)
                .is_some_and(|text| text.contains("prefetch"))
        };
        self.method() == Method::GET
            && self.format.is_none()
            && self.session().is_some()
            && !is_prefetch("sec-purpose")
            && !is_prefetch("purpose")
    }

    /// Fails unless the form or the header has the token of the session. A request without a
    /// session has nothing that another site could abuse; but a form with a token was loaded within
    /// a session, which has ended since.
    pub fn require_csrf(&self) -> Result<(), Error> {
        let sent = self.sent_csrf_token();
        match (self.head_session(), sent) {
            (Some(session), Some(token)) if session.accepts(&token) => Ok(()),
            (Some(_), _) => Err(Error::InvalidCsrfToken),
            (None, Some(_)) if self.viewer().user.is_none() => Err(Error::Unauthenticated(
                "Your session has ended; log in again",
            )),
            (None, _) => Ok(()),
        }
    }

    /// Fails unless the login form was loaded in this browser.
    pub fn require_login_csrf(&self) -> Result<(), Error> {
        let sent = self.sent_csrf_token().unwrap_or_default();
        let of_form = self
            .login_value()
            .map(|value| session::csrf_token(self.app.store.secrets(), &value));
        let of_session = self
            .head_session()
            .map(|session| session.csrf_token.clone());
        let is_valid = [of_form, of_session]
            .into_iter()
            .flatten()
            .any(|token| session::is_same(&sent, &token));
        if is_valid {
            Ok(())
        } else {
            Err(Error::InvalidCsrfToken)
        }
    }

    fn sent_csrf_token(&self) -> Option<String> {
        let field = self
            .body
            .get("authenticity_token")
            .and_then(Input::as_text)
            .map(|token| token.into_owned());
        field.or_else(|| self.header("x-csrf-token").map(str::to_owned))
    }

    fn login_value(&self) -> Option<String> {
        session::login_value(self.headers(), self.is_secure())
    }

    /// Returns the token of the login form, with the `Set-Cookie` value that belongs to it if the
    /// browser has none yet.
    pub fn login_csrf(&self) -> (String, Option<String>) {
        let secrets = self.app.store.secrets();
        match self.login_value() {
            Some(value) => (session::csrf_token(secrets, &value), None),
            None => {
                let value = session::fresh_login_value(self.app.entropy.as_ref());
                (
                    session::csrf_token(secrets, &value),
                    Some(session::login_cookie(&value, self.is_secure())),
                )
            }
        }
    }

    /// Returns the `Set-Cookie` value of a new session, with the token of its forms.
    pub fn session_cookie(&self, session: &Session, token: &str) -> (String, String) {
        (
            session::session_cookie(session, token, self.is_secure()),
            session::csrf_token(self.app.store.secrets(), token),
        )
    }

    /// Returns the `Set-Cookie` value that removes the session from the browser.
    pub fn removed_session_cookie(&self) -> String {
        session::removed_session_cookie(self.is_secure())
    }

    /// Returns the tokens by which users know this browser.
    pub fn device_tokens(&self) -> Vec<String> {
        session::device_tokens(self.headers(), self.is_secure(), devices::MAX_TOKENS)
    }

    /// Returns the `Set-Cookie` value with these tokens.
    pub fn device_cookie(&self, tokens: &[String]) -> String {
        session::device_cookie(tokens, devices::LIFETIME, self.is_secure())
    }

    /// Returns the `User-Agent`, empty if there is none.
    pub fn user_agent(&self) -> &str {
        self.header(header::USER_AGENT.as_str()).unwrap_or_default()
    }

    /// Compares the secret of the request within the limits on guesses, and counts the result. The
    /// route must declare the secret, see
    /// [`RouteHandler::guarding`](crate::RouteHandler::guarding). `compare` returns `None` if
    /// it is wrong.
    pub fn check_secret<T>(
        &self,
        compare: impl FnOnce(GuessPermit) -> Result<Option<T>, Error>,
    ) -> Result<SecretCheck<T>, Error> {
        let checked = self.compare_secret(|permit| {
            let value = compare(permit)?;
            Ok((Guess::from_match(value.is_some()), value))
        })?;
        Ok(match checked {
            SecretCheck::Right(Some(value)) => SecretCheck::Right(value),
            SecretCheck::Right(None) | SecretCheck::Wrong => SecretCheck::Wrong,
            SecretCheck::Delayed(seconds) => SecretCheck::Delayed(seconds),
            SecretCheck::Missing => SecretCheck::Missing,
        })
    }

    /// Like [`RequestContext::check_secret`], where `compare` decides what counts as a guess.
    pub fn compare_secret<T>(
        &self,
        compare: impl FnOnce(GuessPermit) -> Result<(Guess, T), Error>,
    ) -> Result<SecretCheck<T>, Error> {
        match self.take_attempt() {
            AttemptPermission::Nothing => Ok(SecretCheck::Missing),
            AttemptPermission::Delayed(seconds) => Ok(SecretCheck::Delayed(seconds)),
            AttemptPermission::Allowed(attempt) => attempt.compare(compare).map(SecretCheck::Right),
        }
    }

    /// Verifies a password. This takes long on purpose, and equally long for an unknown account, a
    /// locked one and a wrong password. Must not be called within a read, because it replaces an
    /// outdated hash.
    pub fn verify_password(
        &self,
        login: &str,
        password: &str,
    ) -> Result<SecretCheck<UserId>, Error> {
        let stored = self.app.read(|db| sign_in::stored_password(db, login))?;
        let check = self.check_secret(|permit| Ok(stored.verify(permit, password)))?;
        match check {
            SecretCheck::Right(user) => {
                if stored.is_outdated() {
                    rehash(&self.app, &stored, password);
                }
                update_last_login(&self.app, user, None);
            }
            SecretCheck::Wrong => {
                let catalogue = self.app.store.catalogue()?;
                log_failure(&self.app, &catalogue, login, self.address());
            }
            SecretCheck::Delayed(_) => {
                let catalogue = self.app.store.catalogue()?;
                log_delay(&self.app, &catalogue, login, self.address());
            }
            SecretCheck::Missing => {}
        }
        Ok(check)
    }
}
