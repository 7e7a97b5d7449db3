//! OAuth 2.0: registration of applications, consent of users, and the exchange of codes and refresh
//! tokens (compatibility 4.1).
//!
//! Invariants: the store has only digests of secrets, codes and tokens. A code is exchanged once,
//! and a refresh token is used once; a second use deletes the grant with everything that came from
//! it, because the code or token may have been stolen (RFC 9700, section 4.14). May import:
//! `domain`, `store`.

mod applications;
mod authenticate;
mod grants;
mod secret;
mod tokens;

pub use applications::{create, delete, rotate_secret, update};
pub use authenticate::{AccessToken, authenticate, authenticate_client, is_issued, is_use_due};
pub use grants::approve;
pub use grants::{GrantSummary, list as grants, revoke_application};
pub use tokens::TokenError;
pub use tokens::{exchange, refresh, revoke};
