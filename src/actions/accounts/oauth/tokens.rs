//! Issues, exchanges, refreshes and revokes tokens (RFC 6749, sections 4.1.3, 5 and 6; RFC 7009).

use super::secret;
use crate::prelude::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::accounts::oauth::{
    ACCESS_TOKEN_LIFETIME, Application, AuthorizationCode, Grant, NewTokens,
    REFRESH_TOKEN_LIFETIME, Scopes, TokenPair,
};
use quarry_domain::accounts::user::UserStatus;
use quarry_store::accounts::oauth;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

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
) -> Result<NewTokens, ActionError> {
    let now = db.now();
    let new = NewTokens {
        access_token: secret::generate(db.entropy()),
        refresh_token: secret::generate(db.entropy()),
        user: grant.user,
        scopes,
        created_on: now,
    };
    let stored = TokenPair {
        grant: grant.clone(),
        scopes,
        created_on: now,
        expires_on: add_lifetime(now, ACCESS_TOKEN_LIFETIME),
        refresh_expires_on: add_lifetime(now, REFRESH_TOKEN_LIFETIME),
        ..TokenPair::default()
    };
    oauth::tokens::insert(db, &stored, &new.access_token, &new.refresh_token)?;
    oauth::tokens::keep_last(db, grant.id, MAX_TOKENS)?;
    Ok(new)
}

fn add_lifetime(now: Timestamp, lifetime: SignedDuration) -> Timestamp {
    now.saturating_add(lifetime).unwrap_or(Timestamp::MAX)
}

/// Whether the user exists and is active, so that tokens may act for them.
pub(super) fn is_active(db: &Read<'_>, user: UserId) -> bool {
    db.catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active)
}

/// Whether the verifier belongs to the challenge (section 4.6). The time does not depend on where
/// they differ.
pub fn verifies(verifier: &str, challenge: &str) -> bool {
    let is_well_formed = (43..=128).contains(&verifier.len())
        && verifier
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    is_well_formed && bool::from(digest.as_bytes().ct_eq(challenge.as_bytes()))
}

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
) -> Result<Result<NewTokens, TokenError>, ActionError> {
    let stored = oauth::grants::find_by_code(db, code)?
        .filter(|code| code.grant.application == application.id);
    let Some(code) = stored else {
        return Ok(Err(TokenError::InvalidGrant));
    };
    let grant = &code.grant;
    if !is_valid(&code, redirect_uri, verifier, db.now()) || !is_active(db, grant.user) {
        oauth::grants::delete(db, grant, "an authorization code was not valid")?;
        return Ok(Err(TokenError::InvalidGrant));
    }
    oauth::grants::set_code_used(db, grant.id)?;
    Ok(Ok(issue(
        db,
        grant,
        grant.scopes.intersection(application.scopes),
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
        (Some(challenge), Some(verifier)) => verifies(verifier, challenge),
        // A verifier without a challenge is the sign of a downgrade (RFC 9700, section 4.8.2).
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => true,
    };
    !code.is_used && now < code.expires_on && is_same_uri && is_verified
}

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
) -> Result<Result<NewTokens, TokenError>, ActionError> {
    let stored = oauth::tokens::find_by_refresh_token(db, refresh_token)?;
    let Some(tokens) = stored.filter(|tokens| tokens.grant.application == application.id) else {
        return Ok(Err(TokenError::InvalidGrant));
    };
    let grant = &tokens.grant;
    if tokens.is_refreshed {
        oauth::grants::delete(db, grant, "a refresh token was used again")?;
        return Ok(Err(TokenError::InvalidGrant));
    }
    if db.now() >= tokens.refresh_expires_on || !is_active(db, grant.user) {
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
    )?))
}

/// Revokes a token of the application: an access token alone, a refresh token with its grant.
/// Tokens that are unknown or belong to another application are ignored (section 2.2). Returns
/// whether one was revoked.
pub fn revoke(
    db: &mut Write<'_>,
    application: &Application,
    token: &str,
) -> Result<bool, ActionError> {
    if let Some(tokens) = oauth::tokens::find_by_refresh_token(db, token)?
        .filter(|tokens| tokens.grant.application == application.id)
    {
        oauth::grants::delete(db, &tokens.grant, "by the application")?;
        return Ok(true);
    }
    if let Some(tokens) = oauth::tokens::find_by_access_token(db, token)?
        .filter(|tokens| tokens.grant.application == application.id)
    {
        oauth::tokens::expire(db, tokens.id)?;
        return Ok(true);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn verifier_of_the_challenge_is_accepted() {
        assert!(verifies(VERIFIER, CHALLENGE));
    }

    #[test]
    fn challenge_itself_and_other_texts_are_refused() {
        // The method `plain` would accept the first.
        for verifier in [
            CHALLENGE,
            "",
            "short",
            &VERIFIER[1..],
            &format!("{VERIFIER}="),
            &"a".repeat(129),
        ] {
            assert!(!verifies(verifier, CHALLENGE), "{verifier}");
        }
    }
}
