//! The fields of a forum in a request.

use crate::{BodyFields, Error};
use quarry_actions::boards::BoardChange;
use quarry_wire::Input;

/// Parses the object `board`.
pub fn parse(input: &Input) -> Result<BoardChange, Error> {
    let mut body = BodyFields::from_input(input, "board")?;
    let change = BoardChange {
        name: body.text("name", "Name"),
        description: body.text("description", "Description"),
        parent: body.id("parent_id", "Parent board"),
        position: body.integer("position", "Position"),
    };
    body.check()?;
    Ok(change)
}
