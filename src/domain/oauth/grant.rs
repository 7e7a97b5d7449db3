//! Grants: what a person has allowed an application, with the code and the tokens that come from it.

use super::Scopes;
use crate::domain::ids::{ApplicationId, GrantId, UserId};
use jiff::{SignedDuration, Timestamp};

/// Lifetime of an authorization code.
pub const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(5);
/// Lifetime of an access token.
pub const ACCESS_LIFETIME: SignedDuration = SignedDuration::from_hours(2);
/// Time after which a refresh token that was not used expires.
pub const IDLE_LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);

/// What a person has allowed an application. All tokens that come from one consent belong to it and are revoked with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The id.
    pub id: GrantId,
    /// The application.
    pub application: ApplicationId,
    /// The person.
    pub user: UserId,
    /// What is allowed.
    pub scopes: Scopes,
    /// The time of the consent.
    pub created_on: Timestamp,
    /// The time of the last request with one of its tokens, to within a few minutes.
    pub used_on: Timestamp,
}

/// An authorization code, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The grant.
    pub grant: Grant,
    /// When the code ends.
    pub expires_on: Timestamp,
    /// Whether it was exchanged.
    pub is_used: bool,
    /// The redirect URI of the request; `None` if the request had none.
    pub redirect_uri: Option<String>,
    /// The PKCE challenge (S256); `None` if the request had none.
    pub challenge: Option<String>,
}

/// An access token and the refresh token that was issued with it, without their texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTokens {
    /// The id.
    pub id: i64,
    /// The grant.
    pub grant: Grant,
    /// The scopes of the access token: those of the grant, or fewer.
    pub scopes: Scopes,
    /// When they were issued.
    pub created_on: Timestamp,
    /// When the access token ends.
    pub expires_on: Timestamp,
    /// When the refresh token ends.
    pub refresh_expires_on: Timestamp,
    /// Whether the refresh token was used.
    pub is_refreshed: bool,
}

/// New tokens, as they are sent once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTokens {
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
    /// The scopes of the access token.
    pub scopes: Scopes,
    /// When they were issued.
    pub created_on: Timestamp,
}
