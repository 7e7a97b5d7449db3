//! The fields of an issue category in a request (compatibility 6.8).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::projects::categories::CategoryChange;

impl FromBody for CategoryChange {
    const OBJECT: &'static str = "issue_category";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(CategoryChange {
            name: body.text("name", "Name"),
            assignee: body.id("assigned_to_id", "Assignee"),
        })
    }
}
