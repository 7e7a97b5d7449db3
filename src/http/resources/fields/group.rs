//! The fields of a group in a request (compatibility 11.2).

use crate::{BodyFields, Error};
use quarry_actions::accounts::groups::GroupChange;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Parses the object `group`.
///
/// # Errors
/// 422 for a value of the wrong type.
pub fn parse(input: &Input) -> Result<GroupChange, Error> {
    let mut body = BodyFields::from_input(input, "group")?;
    let change = GroupChange {
        name: body.text("name", "Name"),
        users: match body.ids("user_ids", "Users") {
            Patch::Unset => None,
            Patch::Clear => Some(Vec::new()),
            Patch::Set(users) => Some(users),
        },
        requires_second_factor: body
            .boolean("twofa_required", "Two-factor authentication")
            .value()
            .copied(),
        custom: body.custom_fields(),
        ..GroupChange::default()
    };
    body.check()?;
    Ok(change)
}
