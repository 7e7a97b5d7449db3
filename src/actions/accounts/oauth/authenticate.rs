//! Authentication of clients by their secret, and of requests by their access token.

use super::tokens::{TokenError, is_active};
use crate::prelude::*;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::accounts::oauth::{Application, Scopes};
use quarry_domain::ids::GrantId;
use quarry_store::accounts::oauth;
use subtle::ConstantTimeEq;

/// Time between two updates of the time at which a grant was last used.
const USE_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// A valid access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken {
    /// The grant that it comes from.
    pub grant: GrantId,
    /// The user for whom it acts.
    pub user: UserId,
    /// What it allows at most.
    pub scopes: Scopes,
    /// The application that it was issued to.
    pub client_id: String,
    /// When it was issued.
    pub created_on: Timestamp,
    /// When it expires.
    pub expires_on: Timestamp,
    /// When a token of the grant was last used, to within a few minutes.
    pub used_on: Timestamp,
}

/// Returns the access token if it is valid: it was neither revoked nor has it expired, and its user
/// is active.
pub fn authenticate(db: &Read<'_>, token: &str) -> Result<Option<AccessToken>, ActionError> {
    let Some(tokens) = oauth::tokens::find_by_access_token(db, token)?
        .filter(|tokens| db.now() < tokens.expires_on)
    else {
        return Ok(None);
    };
    let grant = tokens.grant;
    if !is_active(db, grant.user) {
        return Ok(None);
    }
    let Some(application) = oauth::applications::find(db, grant.application)? else {
        return Ok(None);
    };
    Ok(Some(AccessToken {
        grant: grant.id,
        user: grant.user,
        // The application may have lost scopes since.
        scopes: tokens.scopes.intersection(application.scopes),
        client_id: application.client_id,
        created_on: tokens.created_on,
        expires_on: tokens.expires_on,
        used_on: grant.used_on,
    }))
}

/// Whether the token was issued by this service and is still stored, although it may have expired.
pub fn is_issued(db: &Read<'_>, token: &str) -> Result<bool, ActionError> {
    Ok(oauth::tokens::find_by_access_token(db, token)?.is_some())
}

/// Whether it is time to record that a token of the grant was used.
pub fn is_use_due(token: &AccessToken, now: Timestamp) -> bool {
    now.duration_since(token.used_on) >= USE_INTERVAL
}

/// Authenticates a client: a confidential application needs its secret, a public one has none.
/// Returns the application.
///
/// # Errors
/// `InvalidClient` as the inner result, for an unknown client and for a wrong secret alike. The
/// comparison of secrets takes constant time.
pub fn authenticate_client(
    db: &Read<'_>,
    _permit: GuessPermit,
    client_id: &str,
    secret: Option<&str>,
) -> Result<Result<Application, TokenError>, ActionError> {
    let application = oauth::applications::find_by_client_id(db, client_id)?;
    let stored = match &application {
        Some(application) => oauth::applications::secret_digest(db, application.id)?,
        None => None,
    };
    let sent = db.secrets().digest(secret.unwrap_or_default());
    let is_same: bool = sent
        .as_bytes()
        .ct_eq(stored.as_deref().unwrap_or_default().as_bytes())
        .into();
    let is_valid = match &application {
        Some(application) if application.is_confidential => secret.is_some() && is_same,
        Some(_) => secret.is_none(),
        None => false,
    };
    Ok(application
        .filter(|_| is_valid)
        .ok_or(TokenError::InvalidClient))
}
