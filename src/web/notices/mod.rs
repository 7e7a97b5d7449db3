//! The inbox, and links in mails that end them.

pub(crate) mod inbox;
mod unsubscribe;

use quarry_http::Routes;

/// Returns the routes of all pages of this family.
pub fn routes() -> Routes {
    Routes::new()
        .merge(inbox::routes())
        .merge(unsubscribe::routes())
}
