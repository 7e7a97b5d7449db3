//! The issue of access tokens and refresh tokens (RFC 6749, section 5).

use super::secret;
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::UserId;
use crate::domain::oauth::{
    ACCESS_TOKEN_LIFETIME, Grant, NewTokens, REFRESH_TOKEN_LIFETIME, Scopes, TokenPair,
};
use crate::domain::user::UserStatus;
use crate::store::{Read, Write, oauth};
use jiff::Timestamp;

/// Maximum number of stored pairs of tokens of one grant. The reuse of a refresh token is detected
/// only among these.
const MAX_TOKENS: i64 = 100;

/// Why no token is issued (RFC 6749, section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// The client is unknown or failed to authenticate.
    InvalidClient,
    /// The code or refresh token is unknown, was used, has expired, belongs to another client, or
    /// does not fit the request.
    InvalidGrant,
    /// More scopes were requested than were granted.
    InvalidScope,
}

/// Issues an access token and a refresh token for a grant.
pub(super) fn issue(
    db: &mut Write<'_>,
    grant: &Grant,
    scopes: Scopes,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<NewTokens, ActionError> {
    let now = clock.now();
    let after = |lifetime| now.saturating_add(lifetime).unwrap_or(Timestamp::MAX);
    let new = NewTokens {
        access_token: secret::generate(entropy),
        refresh_token: secret::generate(entropy),
        user: grant.user,
        scopes,
        created_on: now,
    };
    let stored = TokenPair {
        id: 0,
        grant: grant.clone(),
        scopes,
        created_on: now,
        expires_on: after(ACCESS_TOKEN_LIFETIME),
        refresh_expires_on: after(REFRESH_TOKEN_LIFETIME),
        is_refreshed: false,
    };
    oauth::tokens::insert(db, &stored, &new.access_token, &new.refresh_token)?;
    oauth::tokens::keep_last(db, grant.id, MAX_TOKENS)?;
    Ok(new)
}

/// Whether the user exists and is active, so that tokens may act for them.
pub(super) fn is_active(db: &Read<'_>, user: UserId) -> bool {
    db.catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active)
}
