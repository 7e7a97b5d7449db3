//! Users and groups, and how they log in: passwords, second factor, sessions, OAuth.

pub mod email_address;
pub mod gravatar;
pub mod group;
pub mod guess_permit;
pub mod invitation;
pub mod invited_person;
pub mod my_page;
pub mod oauth;
pub mod password;
pub mod preferences;
pub mod session;
pub mod two_factor;
pub mod user;
pub mod user_format;
