//! Users and groups with their credentials, their memberships, and the OAuth applications that act
//! for them.

pub mod account_warnings;
pub mod address_changes;
pub mod devices;
pub mod email_addresses;
pub mod groups;
pub mod guesses;
pub mod invitations;
pub mod lost_passwords;
pub mod memberships;
pub mod notice_preferences;
pub mod oauth;
pub mod pictures;
pub mod registrations;
pub mod sessions;
pub mod two_factor;
pub mod users;
