//! The fields of a topic or reply in a request.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::content::messages::MessageChange;

/// Files are attached separately.
impl FromBody for MessageChange {
    const OBJECT: &'static str = "message";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(MessageChange {
            subject: body.text("subject", "Subject"),
            content: body.text("content", "Content"),
            sticky: body.boolean("sticky", "Sticky"),
            locked: body.boolean("locked", "Locked"),
            board: body.id("board_id", "Forum"),
        })
    }
}
