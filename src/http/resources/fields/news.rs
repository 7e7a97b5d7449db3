//! The fields of a news item in a request.

use crate::{BodyFields, Error};
use quarry_actions::news::NewsChange;
use quarry_wire::Input;

/// Parses the object `news`, without its files.
pub fn parse(input: &Input) -> Result<NewsChange, Error> {
    let mut body = BodyFields::from_input(input, "news")?;
    let change = NewsChange {
        title: body.text("title", "Title"),
        summary: body.text_or_empty("summary", "Summary"),
        description: body.text("description", "Description"),
    };
    body.check()?;
    Ok(change)
}
