//! The exchange of a code for tokens (RFC 6749, section 4.1.3).

use super::proof;
use super::tokens::{TokenError, is_active, issue};
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::oauth::{Application, Code, NewTokens};
use crate::store::{Write, oauth};
use jiff::Timestamp;

/// Exchanges a code of the application. The redirect URI must be the one of the authorization request, and the verifier must fit its
/// challenge. The outer result is that of the transaction, which also has effects when the code is refused: a code that was used before
/// revokes what it gave, and a wrong verifier or redirect URI ends the code.
pub fn exchange(
    db: &mut Write<'_>,
    application: &Application,
    code: &str,
    redirect_uri: Option<&str>,
    verifier: Option<&str>,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Result<NewTokens, TokenError>, ActionError> {
    let found = oauth::grants::find_by_code(db, code)?.filter(|code| code.grant.application == application.id);
    let Some(code) = found else { return Ok(Err(TokenError::InvalidGrant)) };
    let grant = &code.grant;
    if !is_valid(&code, redirect_uri, verifier, clock.now()) || !is_active(db, grant.user) {
        oauth::grants::delete(db, grant.id)?;
        return Ok(Err(TokenError::InvalidGrant));
    }
    oauth::grants::set_code_used(db, grant.id)?;
    Ok(Ok(issue(db, grant, grant.scopes.intersection(application.scopes), clock, entropy)?))
}

fn is_valid(code: &Code, redirect_uri: Option<&str>, verifier: Option<&str>, now: Timestamp) -> bool {
    let is_same_uri = match (&code.redirect_uri, redirect_uri) {
        (Some(requested), sent) => sent == Some(requested),
        // Without one in the authorization request there is nothing that it could differ from (RFC 6749, section 4.1.3).
        (None, sent) => sent.is_none(),
    };
    let is_proved = match (&code.challenge, verifier) {
        (Some(challenge), Some(verifier)) => proof::verifies(verifier, challenge),
        // A verifier without a challenge is the sign of a downgrade (RFC 9700, section 4.8.2).
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => true,
    };
    !code.is_used && now < code.expires_on && is_same_uri && is_proved
}
