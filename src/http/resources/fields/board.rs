//! The fields of a forum in a request.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::content::boards::BoardChange;

impl FromBody for BoardChange {
    const OBJECT: &'static str = "board";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(BoardChange {
            name: body.text("name", "Name"),
            description: body.text("description", "Description"),
            parent: body.id("parent_id", "Parent board"),
            position: body.integer("position", "Position"),
        })
    }
}
