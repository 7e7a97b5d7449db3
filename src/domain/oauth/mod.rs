//! OAuth 2.0: registered applications, their redirect URIs, scopes, and the grants that people have given.
//!
//! Pure rules without randomness or digests; tokens are made and looked up in `actions::oauth`. May import: `domain`.

mod application;
mod authorization;
mod grant;
mod params;
mod redirect_uri;
mod scopes;

pub use application::{Application, ApplicationChange, MAX_NAME, MAX_REDIRECT_URIS};
pub use authorization::{Authorization, AuthorizationError, AuthorizationRequest};
pub use grant::{ACCESS_LIFETIME, CODE_LIFETIME, Code, Grant, IDLE_LIFETIME, NewTokens, StoredTokens};
pub use params::Params;
pub use redirect_uri::RedirectUri;
pub use scopes::{ADMIN_SCOPE, Scopes};
