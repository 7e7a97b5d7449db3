//! The fields of a tracker in a request (compatibility 14).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::administration::trackers::TrackerChange;

impl FromBody for TrackerChange {
    const OBJECT: &'static str = "tracker";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(TrackerChange {
            name: body.text("name", "Name"),
            default_status: body.id("default_status_id", "Default status"),
            description: body.text("description", "Description"),
            position: body.integer("position", "Position"),
            enabled_fields: body.texts("enabled_standard_fields", "Enabled standard fields"),
            disabled_fields: body.texts("disabled_core_fields", "Disabled core fields"),
            custom_fields: body.ids("custom_field_ids", "Custom fields"),
            projects: body.ids("project_ids", "Projects"),
        })
    }
}
