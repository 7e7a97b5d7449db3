//! Users and groups, their memberships, and how they log in.

pub mod email_addresses;
pub mod groups;
pub mod memberships;
pub mod oauth;
pub mod sessions;
pub mod two_factor;
pub mod users;
