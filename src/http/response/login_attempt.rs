//! The limits on guesses of the secrets in forms: passwords, codes, secrets of OAuth clients.

use crate::error::Error;
use crate::request::head::RequestHead;
use crate::server::limits::logins::{Account, AttemptPermission, LoginLimits};
use crate::server::state::HttpState;
use quarry_domain::ids::UserId;
use quarry_wire as wire;
use quarry_wire::Input;

/// The secret in the forms of a route. The route decides for which account wrong ones count, so
/// that no field of a form can choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardedSecret {
    /// The field `password`, for the account in the field `username`.
    Login,
    /// The field `password`, for the user of the request.
    OwnPassword,
    /// The field `new_password`, which must differ from the password of the user of the request.
    NewPassword,
    /// The field `code`, for the second factor of the user of the request. It has a count of its
    /// own, which a correct password does not reset.
    OwnCode,
    /// The field `code`, for the set-up, also in the query string of the address that was printed.
    /// There is no account yet; each address has its own count, so that strangers do not delay the
    /// owner.
    SetupCode,
    /// The secret of an OAuth client, or the grant that it exchanges for tokens. Each address has
    /// its own count, so that strangers do not delay the application.
    ClientSecret,
    /// The key of a mail server, or every request to its route without one. Each address has its own
    /// count, so that strangers do not delay the mail server.
    MailKey,
    /// No secret: every form that creates an account counts, by address.
    Registration,
    /// No secret: every form for a lost password counts, by address.
    LostPassword,
}

impl GuardedSecret {
    /// Returns the field with the secret; `None` when every request counts as an attempt.
    fn field(self) -> Option<&'static str> {
        match self {
            GuardedSecret::Login | GuardedSecret::OwnPassword => Some("password"),
            GuardedSecret::NewPassword => Some("new_password"),
            GuardedSecret::OwnCode | GuardedSecret::SetupCode => Some("code"),
            GuardedSecret::ClientSecret
            | GuardedSecret::MailKey
            | GuardedSecret::Registration
            | GuardedSecret::LostPassword => None,
        }
    }
}

fn is_blank(form: &Input, name: &str) -> bool {
    form.get(name)
        .and_then(Input::as_text)
        .is_none_or(|text| text.trim().is_empty())
}

/// Waits for the permission to compare the secret of a request with this body. A form without the
/// secret needs none.
pub async fn acquire(
    state: &HttpState,
    secret: GuardedSecret,
    head: &RequestHead,
    user: Option<UserId>,
    bytes: &[u8],
) -> Result<AttemptPermission, Error> {
    let catalogue = state.app.store.catalogue()?;
    // The steps of a login have a session that authenticates nobody yet.
    let user = user.or_else(|| head.session.as_ref().map(|session| session.session.user));
    let login = user
        .and_then(|user| catalogue.users.get(&user))
        .map(|user| user.login.clone());
    let form = match secret.field() {
        Some(_) if secret == GuardedSecret::SetupCode && bytes.is_empty() => (*head.query).clone(),
        Some(_) => wire::from_form(bytes)?,
        None => Input::Null,
    };
    if secret.field().is_some_and(|name| is_blank(&form, name)) {
        return Ok(AttemptPermission::Nothing);
    }
    let username = form
        .get("username")
        .and_then(Input::as_text)
        .unwrap_or_default();
    let account = match (secret, &login) {
        (GuardedSecret::Login, _) => Account::Login(username.trim()),
        (GuardedSecret::OwnPassword | GuardedSecret::NewPassword, Some(login)) => {
            Account::Login(login)
        }
        (GuardedSecret::OwnCode, Some(login)) => Account::SecondFactor(login),
        (
            GuardedSecret::OwnPassword | GuardedSecret::NewPassword | GuardedSecret::OwnCode,
            None,
        ) => return Ok(AttemptPermission::Nothing),
        (GuardedSecret::SetupCode, _) => Account::SetUp(head.address),
        (GuardedSecret::ClientSecret, _) => Account::Applications(head.address),
        (GuardedSecret::MailKey, _) => Account::MailServers(head.address),
        (GuardedSecret::Registration, _) => Account::Registrations(head.address),
        (GuardedSecret::LostPassword, _) => Account::LostPasswords(head.address),
    };
    match state
        .logins
        .acquire(
            account,
            head.address,
            LoginLimits::from_settings(&catalogue),
        )
        .await
    {
        Ok(attempt) => Ok(AttemptPermission::Allowed(attempt)),
        // The form shows the delay.
        Err(Error::TooManyAttempts(seconds)) => Ok(AttemptPermission::Delayed(seconds)),
        Err(error) => Err(error),
    }
}
