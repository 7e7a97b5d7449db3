//! The fields of a saved reply in a form.

use crate::{BodyFields, Error};
use quarry_actions::saved_replies::SavedReplyChange;
use quarry_wire::Input;

/// Parses the object `saved_reply`.
pub fn parse(input: &Input) -> Result<SavedReplyChange, Error> {
    let mut body = BodyFields::from_input(input, "saved_reply")?;
    let change = SavedReplyChange {
        name: body.text("name", "Name"),
        content: body.text("content", "Text"),
    };
    body.check()?;
    Ok(change)
}
