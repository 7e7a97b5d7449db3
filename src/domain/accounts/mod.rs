//! Users and groups, their preferences, and how they log in.

pub mod gravatar;
pub mod guess_permit;
pub mod oauth;
pub mod password;
pub mod preferences;
pub mod session;
pub mod time_zone;
pub mod two_factor;
pub mod user;
pub mod user_format;
pub mod week_start;
