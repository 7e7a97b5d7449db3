//! `/oauth/*` and access tokens (compatibility 4.1; RFC 6749, 6750, 7009, 7636, 8252, 8414, 9207
//! and 9700).

mod attacks;
mod authorize;
mod bearer;
mod log;
mod metadata;
mod reading_scopes;
mod revoke;
mod scopes;
mod token;
