//! The fields of a topic or reply in a request.

use crate::{BodyFields, Error};
use quarry_actions::messages::MessageChange;
use quarry_wire::Input;

/// Parses the object `message`, without its files.
pub fn parse(input: &Input) -> Result<MessageChange, Error> {
    let mut body = BodyFields::from_input(input, "message")?;
    let change = MessageChange {
        subject: body.text("subject", "Subject"),
        content: body.text("content", "Content"),
        sticky: body.boolean("sticky", "Sticky"),
        locked: body.boolean("locked", "Locked"),
        board: body.id("board_id", "Forum"),
    };
    body.check()?;
    Ok(change)
}
