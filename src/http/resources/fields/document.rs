//! The fields of a document in a request.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::content::documents::DocumentChange;

/// Files are attached separately.
impl FromBody for DocumentChange {
    const OBJECT: &'static str = "document";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(DocumentChange {
            category: body.id("category_id", "Category"),
            title: body.text("title", "Title"),
            description: body.text_or_empty("description", "Description"),
            custom: body.custom_fields(),
        })
    }
}
