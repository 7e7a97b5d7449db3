//! Accounts: how one logs in, the own account, and the users and groups that administrators manage.

mod groups;
mod invitations;
mod lost_password;
pub(crate) mod memberships;
pub(crate) mod my;
pub(crate) mod oauth;
mod registration;
pub(crate) mod sessions;
mod totp_key;
pub(crate) mod users;

use quarry_http::Routes;

/// Returns the routes of all pages of this family.
pub fn routes() -> Routes {
    Routes::new()
        .merge(groups::routes())
        .merge(invitations::routes())
        .merge(lost_password::routes())
        .merge(memberships::routes())
        .merge(my::routes())
        .merge(oauth::routes())
        .merge(registration::routes())
        .merge(sessions::routes())
        .merge(users::routes())
}
