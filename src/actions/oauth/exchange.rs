//! The exchange of a code for tokens (RFC 6749, section 4.1.3).

use super::pkce;
use super::tokens::{TokenError, is_active, issue};
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::oauth::{Application, AuthorizationCode, NewTokens};
use crate::store::{Write, oauth};
use jiff::Timestamp;

/// Exchanges a code of the application. The redirect URI must be the one of the authorization
/// request, and the verifier must fit its challenge. The outer result is that of the transaction,
/// which also changes something when the code is refused: any invalid use deletes the grant with
/// the tokens that were issued for it.
///
/// # Errors
/// `InvalidGrant`, as the inner result, for a code that is unknown, was used, has expired or does
/// not fit the request.
pub fn exchange(
    db: &mut Write<'_>,
    application: &Application,
    code: &str,
    redirect_uri: Option<&str>,
    verifier: Option<&str>,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Result<NewTokens, TokenError>, ActionError> {
    let stored = oauth::grants::find_by_code(db, code)?
        .filter(|code| code.grant.application == application.id);
    let Some(code) = stored else {
        return Ok(Err(TokenError::InvalidGrant));
    };
    let grant = &code.grant;
    if !is_valid(&code, redirect_uri, verifier, clock.now()) || !is_active(db, grant.user) {
        oauth::grants::delete(db, grant.id)?;
        return Ok(Err(TokenError::InvalidGrant));
    }
    oauth::grants::set_code_used(db, grant.id)?;
    Ok(Ok(issue(
        db,
        grant,
        grant.scopes.intersection(application.scopes),
        clock,
        entropy,
    )?))
}

fn is_valid(
    code: &AuthorizationCode,
    redirect_uri: Option<&str>,
    verifier: Option<&str>,
    now: Timestamp,
) -> bool {
    let is_same_uri = match (&code.redirect_uri, redirect_uri) {
        (Some(requested), sent) => sent == Some(requested),
        // It must be absent if the authorization request had none (RFC 6749, section 4.1.3).
        (None, sent) => sent.is_none(),
    };
    let is_verified = match (&code.challenge, verifier) {
        (Some(challenge), Some(verifier)) => pkce::verifies(verifier, challenge),
        // A verifier without a challenge is the sign of a downgrade (RFC 9700, section 4.8.2).
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => true,
    };
    !code.is_used && now < code.expires_on && is_same_uri && is_verified
}
