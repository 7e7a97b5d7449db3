//! Grants: what a user has allowed an application, with the authorization code and the tokens that
//! were issued for it (RFC 6749, sections 1.3 to 1.5).

use super::Scopes;
use crate::ids::{ApplicationId, GrantId, UserId};
use jiff::{SignedDuration, Timestamp};

/// Lifetime of an authorization code.
pub const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(5);
/// Lifetime of an access token.
pub const ACCESS_TOKEN_LIFETIME: SignedDuration = SignedDuration::from_hours(2);
/// Lifetime of a refresh token. Using it issues a new one.
pub const REFRESH_TOKEN_LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The consent of a user to an application. All tokens that were issued for it are revoked with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    pub id: GrantId,
    pub application: ApplicationId,
    pub user: UserId,
    /// The scopes that the user has allowed.
    pub scopes: Scopes,
    /// The time of the consent.
    pub created_on: Timestamp,
    /// The time of the last request with one of its tokens, to within a few minutes.
    pub used_on: Timestamp,
}

/// An authorization code with its grant. The code itself is not stored, only its digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorizationCode {
    pub grant: Grant,
    /// When the code expires.
    pub expires_on: Timestamp,
    /// Whether it was exchanged for tokens.
    pub is_used: bool,
    /// The redirect URI of the request; `None` if the request had none.
    pub redirect_uri: Option<String>,
    /// The PKCE challenge (S256); `None` if the request had none.
    pub challenge: Option<String>,
}

/// An access token and the refresh token that was issued with it. The tokens themselves are not
/// stored, only their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenPair {
    pub id: i64,
    pub grant: Grant,
    /// The scopes of the access token: those of the grant, or fewer.
    pub scopes: Scopes,
    /// When they were issued.
    pub created_on: Timestamp,
    /// When the access token expires.
    pub expires_on: Timestamp,
    /// When the refresh token expires.
    pub refresh_expires_on: Timestamp,
    /// Whether the refresh token was used.
    pub is_refreshed: bool,
}

/// New tokens, as they are sent to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTokens {
    pub access_token: String,
    pub refresh_token: String,
    /// The user for whom they act.
    pub user: UserId,
    /// The scopes of the access token.
    pub scopes: Scopes,
    /// When they were issued.
    pub created_on: Timestamp,
}
