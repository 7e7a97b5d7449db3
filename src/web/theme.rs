//! `POST /theme`: chooses the colours of pages in this browser.

use super::frame::cookies;
use super::frame::local_path::local_path;
use super::frame::{THEME_COOKIE, Theme};
use crate::form;
use crate::prelude::*;
use axum::routing::post;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/theme", post(read_handler(update).open().during_setup()))
}

/// Time in seconds for which the choice is kept: a year.
const MAX_AGE: u32 = 365 * 24 * 60 * 60;

/// Stores the choice in a cookie and leads back to the page. It changes nothing on the server, so
/// it needs no session.
fn update(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let theme = Theme::from_cookie(Some(&form::field(request, "theme")));
    let cookie = match theme {
        Theme::Auto => cookies::remove(THEME_COOKIE),
        theme => cookies::set(request, THEME_COOKIE, theme.value(), MAX_AGE),
    };
    let address = form::field(request, "back_url");
    Ok(Reply::see_other(local_path(&address).unwrap_or("/").to_owned()).with_cookie(cookie))
}
