//! OAuth 2.0: registered applications, grants, and tokens, which are looked up by their digests; the store never has them themselves.

pub mod applications;
pub mod grants;
pub mod tokens;

use crate::domain::oauth::Scopes;

/// Returns stored scopes. Those that this version does not know allow nothing.
fn scopes(text: &str) -> Scopes {
    text.split_ascii_whitespace().fold(Scopes::default(), |scopes, name| scopes.with(name).unwrap_or(scopes))
}
