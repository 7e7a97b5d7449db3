//! Users, groups, their sessions and how they sign in.

pub mod account;
pub mod account_approvals;
pub(crate) mod account_links;
pub mod account_warnings;
pub mod address_changes;
pub mod devices;
pub mod email_addresses;
pub mod groups;
pub mod invitations;
pub mod lost_passwords;
pub mod memberships;
pub mod my_page;
pub mod oauth;
pub mod passwords;
pub mod pictures;
pub mod registration;
pub mod sessions;
pub mod sign_in;
pub mod two_factor;
pub(crate) mod user_rules;
pub mod users;
