//! The fields of a news item in a request.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::content::news::NewsChange;

/// Files are attached separately.
impl FromBody for NewsChange {
    const OBJECT: &'static str = "news";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(NewsChange {
            title: body.text("title", "Title"),
            summary: body.text_or_empty("summary", "Summary"),
            description: body.text("description", "Description"),
        })
    }
}
