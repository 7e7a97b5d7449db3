//! The second factor: codes of an app (TOTP, RFC 6238) and recovery codes.
//!
//! Invariant: each code is valid once. Keys are stored encrypted, recovery codes as digests.

mod set_up;
mod totp;
mod verify;

pub use set_up::{prepare, renew_recovery_codes, set_up, switch_off, switch_off_own};
pub use totp::address;
pub use verify::verify;

/// The scheme of users who have a second factor.
pub const SCHEME: &str = "totp";
