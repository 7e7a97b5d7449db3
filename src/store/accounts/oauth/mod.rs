//! OAuth 2.0: registered applications, grants and tokens.
//!
//! Invariant: secrets, codes and tokens are stored as digests only, and looked up by them.

pub mod applications;
pub mod grants;
pub mod tokens;

use crate::domain::accounts::oauth::Scopes;

/// Parses stored scopes. Unknown ones, for instance of a newer version, are ignored.
fn parse_scopes(text: &str) -> Scopes {
    text.split_ascii_whitespace()
        .fold(Scopes::default(), |scopes, name| {
            scopes.with(name).unwrap_or(scopes)
        })
}
