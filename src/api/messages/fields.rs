//! Parses the body of a request about a message (compatibility 13.2).

use crate::actions::attachments::NewUpload;
use crate::actions::messages::MessageChange;
use crate::api::attachments::view::uploads;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// Parses the object `message` and its uploads.
pub fn parse(request: &RequestContext) -> Result<(MessageChange, Vec<NewUpload>), Error> {
    let mut body = BodyFields::from_body(request, "message")?;
    let change = MessageChange {
        subject: body.text("subject", "Subject"),
        content: body.text("content", "Content"),
        sticky: body.boolean("sticky", "Sticky"),
        locked: body.boolean("locked", "Locked"),
        board: body.id("board_id", "Board"),
    };
    body.check()?;
    Ok((
        change,
        uploads(request.body.get("message").unwrap_or(&Input::Null))?,
    ))
}
