//! OAuth 2.0: registered applications, grants and tokens.
//!
//! Invariant: secrets, codes and tokens are stored as digests only, and looked up by them.

pub mod applications;
pub mod grants;
pub mod tokens;
