//! The fields of a value of an enumeration in a request (compatibility 14).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::administration::enumerations::EnumerationChange;

/// The API names the object after the enumeration, such as `issue_priority`.
impl FromBody for EnumerationChange {
    const OBJECT: &'static str = "enumeration";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(EnumerationChange {
            name: body.text("name", "Name"),
            is_default: body.boolean("is_default", "Is default"),
            active: body.boolean("active", "Active"),
            position: body.integer("position", "Position"),
            custom: body.custom_fields(),
        })
    }
}
