//! The fields of a value of an enumeration in a request (compatibility 14).

use crate::{BodyFields, Error};
use quarry_actions::enumerations::EnumerationChange;
use quarry_wire::Input;

/// Parses the object that is named after the enumeration, such as `issue_priority`.
pub fn parse(input: &Input, root: &str) -> Result<EnumerationChange, Error> {
    let mut body = BodyFields::from_input(input, root)?;
    let change = EnumerationChange {
        name: body.text("name", "Name"),
        is_default: body.boolean("is_default", "Is default"),
        active: body.boolean("active", "Active"),
        position: body.integer("position", "Position"),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}
