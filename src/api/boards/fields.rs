//! Parses the body of a request about a board (compatibility 13.2).

use crate::actions::boards::BoardChange;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `board`.
pub fn parse(request: &RequestContext) -> Result<BoardChange, Error> {
    let mut body = BodyFields::from_body(request, "board")?;
    let change = BoardChange {
        name: body.text("name", "Name"),
        description: body.text("description", "Description"),
        parent: body.id("parent_id", "Parent board"),
    };
    body.check()?;
    Ok(change)
}
