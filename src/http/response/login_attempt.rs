//! The limits on attempts with passwords and codes in forms.

use crate::domain::setting::Setting;
use crate::http::error::Error;
use crate::http::request::head::RequestHead;
use crate::http::request::session::LoginOutcome;
use crate::http::server::limits::logins::{LoginAttempt, LoginLimits};
use crate::http::server::state::HttpState;
use crate::wire::{self, Input};

/// Waits for a permit to check the password or code in the form; `None` when it has none, or comes too early after failures. The delay is
/// then in [`RequestHead::login`], so that the form can show it.
pub async fn start<'s>(state: &'s HttpState, head: &RequestHead, bytes: &[u8]) -> Result<Option<LoginAttempt<'s>>, Error> {
    let Ok(form) = wire::from_form(bytes) else { return Ok(None) };
    let field = |name: &str| form.get(name).and_then(Input::as_text).filter(|text| !text.is_empty());
    let catalogue = state.app.store.catalogue()?;
    let login = head.session.as_ref().and_then(|session| catalogue.users.get(&session.session.user)).map(|user| user.login.clone());
    // Elsewhere a field must not choose the account that failures count for.
    let is_login_form = head.parts.uri.path().ends_with("/login");
    let is_setup = head.parts.uri.path().ends_with("/setup");
    let is_client = ["/oauth/token", "/oauth/revoke"].iter().any(|path| head.parts.uri.path().ends_with(path));
    let account = match (field("code"), field("password")) {
        // Strangers must not delay the application.
        _ if is_client => Some(format!("applications from {}", head.address)),
        // There is no account yet. Strangers must not delay the owner, so each address has its own count.
        (Some(_), _) if is_setup => Some(format!("set-up from {}", head.address)),
        // Codes have a count of their own, because a right password would reset it.
        (Some(_), _) => login.map(|login| format!("second factor of {login}")),
        (None, Some(_)) if is_login_form => field("username").map(|name| name.trim().to_owned()),
        (None, Some(_)) => login,
        (None, None) => None,
    };
    let Some(account) = account else { return Ok(None) };
    let limit = |setting| catalogue.setting(setting).parse().unwrap_or(0);
    let limits = LoginLimits { per_account: limit(Setting::FailedLoginsPerAccount), per_address: limit(Setting::FailedLoginsPerAddress) };
    match state.logins.acquire(&account, head.address, limits).await {
        Ok(attempt) => Ok(Some(attempt)),
        Err(Error::TooManyAttempts(seconds)) => {
            // Nothing else sets it.
            let _ = head.login.delay.set(seconds);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Counts the attempt as the handler has recorded it.
pub fn finish(attempt: Option<LoginAttempt<'_>>, outcome: &LoginOutcome) {
    match (attempt, outcome.success.get()) {
        (Some(attempt), Some(true)) => attempt.succeed(),
        (Some(attempt), Some(false)) => attempt.fail(),
        _ => {}
    }
}
