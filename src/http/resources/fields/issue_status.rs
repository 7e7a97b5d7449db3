//! The fields of an issue status in a request (compatibility 14).

use crate::{BodyFields, Error};
use quarry_actions::issue_statuses::StatusChange;
use quarry_wire::Input;

/// Parses the object `issue_status`.
pub fn parse(input: &Input) -> Result<StatusChange, Error> {
    let mut body = BodyFields::from_input(input, "issue_status")?;
    let change = StatusChange {
        name: body.text("name", "Name"),
        is_closed: body.boolean("is_closed", "Is closed"),
        description: body.text("description", "Description"),
        default_done_ratio: body.integer("default_done_ratio", "Default done ratio"),
        position: body.integer("position", "Position"),
    };
    body.check()?;
    Ok(change)
}
