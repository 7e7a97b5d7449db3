//! The fields of an issue status in a request (compatibility 14).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::administration::issue_statuses::StatusChange;

impl FromBody for StatusChange {
    const OBJECT: &'static str = "issue_status";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(StatusChange {
            name: body.text("name", "Name"),
            is_closed: body.boolean("is_closed", "Is closed"),
            description: body.text("description", "Description"),
            default_done_ratio: body.integer("default_done_ratio", "Default done ratio"),
            position: body.integer("position", "Position"),
        })
    }
}
