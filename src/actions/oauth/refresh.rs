//! The use of a refresh token (RFC 6749, section 6; RFC 9700, section 4.14).

use super::tokens::{TokenError, is_active, issue};
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::oauth::{Application, NewTokens, Scopes};
use crate::store::{Write, oauth};

/// Issues new tokens for a refresh token of the application, which is used up. `scopes` requests
/// fewer scopes than were granted. The outer result is that of the transaction: a refresh token
/// that was used before deletes the grant.
///
/// # Errors
/// As the inner result: `InvalidGrant` for a token that is unknown, was used or has expired;
/// `InvalidScope` for scopes that were not granted.
pub fn refresh(
    db: &mut Write<'_>,
    application: &Application,
    refresh_token: &str,
    scopes: Option<Scopes>,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Result<NewTokens, TokenError>, ActionError> {
    let stored = oauth::tokens::find_by_refresh_token(db, refresh_token)?;
    let Some(tokens) = stored.filter(|tokens| tokens.grant.application == application.id) else {
        return Ok(Err(TokenError::InvalidGrant));
    };
    let grant = &tokens.grant;
    if tokens.is_refreshed {
        oauth::grants::delete(db, grant.id)?;
        return Ok(Err(TokenError::InvalidGrant));
    }
    if clock.now() >= tokens.refresh_expires_on || !is_active(db, grant.user) {
        return Ok(Err(TokenError::InvalidGrant));
    }
    if scopes.is_some_and(|scopes| scopes.is_empty() || !scopes.is_subset_of(grant.scopes)) {
        return Ok(Err(TokenError::InvalidScope));
    }
    oauth::tokens::set_refreshed(db, tokens.id)?;
    Ok(Ok(issue(
        db,
        grant,
        scopes
            .unwrap_or(grant.scopes)
            .intersection(application.scopes),
        clock,
        entropy,
    )?))
}
