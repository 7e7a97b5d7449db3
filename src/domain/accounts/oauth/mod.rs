//! OAuth 2.0: registered applications, their redirect URIs and scopes, and the grants of users
//! (compatibility 4.1).
//!
//! Rules without randomness or digests; `actions::oauth` generates tokens and looks them up. May
//! import: `domain`.

mod application;
mod authorization;
mod grant;
mod params;
mod redirect_uri;
mod scopes;

pub use application::{Application, ApplicationChange, MAX_NAME, MAX_REDIRECT_URIS};
pub use authorization::{Authorization, AuthorizationError, AuthorizationRequest};
pub use grant::{
    ACCESS_TOKEN_LIFETIME, AuthorizationCode, CODE_LIFETIME, Grant, NewTokens,
    REFRESH_TOKEN_LIFETIME, TokenPair,
};
pub use params::Params;
pub use redirect_uri::RedirectUri;
pub use scopes::{ADMIN_SCOPE, Scopes};
