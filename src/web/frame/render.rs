//! Renders templates, and redirects after forms.

use super::cookies;
use super::{FLASH_COOKIE, Flash, Frame};
use crate::components::time::{NOW, ZONE};
use crate::prelude::*;
use std::any::Any;

/// Time in seconds in which the next page must show a flash message.
const FLASH_SECONDS: u32 = 60;

/// Renders a page, with times in the zone of the viewer, and those of the last days relative to now. A flash message in its frame is removed
/// from the browser.
pub fn render(frame: &Frame, template: &impl Template) -> Result<Reply, Error> {
    let zone: &dyn Any = &frame.zone;
    let now: &dyn Any = &frame.now;
    page_reply(
        frame,
        template.render_with_values(&[(ZONE, zone), (NOW, now)]),
    )
}

fn page_reply(frame: &Frame, html: askama::Result<String>) -> Result<Reply, Error> {
    let reply = html
        .map(Reply::page)
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(if frame.flash.is_some() {
        reply.with_cookie(cookies::remove(FLASH_COOKIE))
    } else {
        reply
    })
}

/// Redirects to a page that shows the message.
pub fn redirect_with(request: &RequestContext, location: String, flash: &Flash) -> Reply {
    Reply::see_other(location).with_cookie(cookies::set(
        request,
        FLASH_COOKIE,
        &flash.to_cookie(),
        FLASH_SECONDS,
    ))
}
