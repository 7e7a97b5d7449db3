//! The fields of an issue category in a request (compatibility 6.8).

use crate::{BodyFields, Error};
use quarry_actions::categories::CategoryChange;
use quarry_wire::Input;

/// Parses the object `issue_category`.
pub fn parse(input: &Input) -> Result<CategoryChange, Error> {
    let mut body = BodyFields::from_input(input, "issue_category")?;
    let change = CategoryChange {
        name: body.text("name", "Name"),
        assignee: body.id("assigned_to_id", "Assignee"),
    };
    body.check()?;
    Ok(change)
}
