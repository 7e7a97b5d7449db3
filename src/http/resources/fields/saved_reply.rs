//! The fields of a saved reply in a form.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::issues::saved_replies::SavedReplyChange;

impl FromBody for SavedReplyChange {
    const OBJECT: &'static str = "saved_reply";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(SavedReplyChange {
            name: body.text("name", "Name"),
            content: body.text("content", "Text"),
        })
    }
}
