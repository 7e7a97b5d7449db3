//! The fields of a document in a request.

use crate::{BodyFields, Error};
use quarry_actions::documents::DocumentChange;
use quarry_wire::Input;

/// Parses the object `document`, without its files.
pub fn parse(input: &Input) -> Result<DocumentChange, Error> {
    let mut body = BodyFields::from_input(input, "document")?;
    let change = DocumentChange {
        category: body.id("category_id", "Category"),
        title: body.text("title", "Title"),
        description: body.text_or_empty("description", "Description"),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}
