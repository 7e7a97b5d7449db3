//! The fields of a tracker in a request (compatibility 14).

use crate::{BodyFields, Error};
use quarry_actions::trackers::TrackerChange;
use quarry_wire::Input;

/// Parses the object `tracker`.
pub fn parse(input: &Input) -> Result<TrackerChange, Error> {
    let mut body = BodyFields::from_input(input, "tracker")?;
    let change = TrackerChange {
        name: body.text("name", "Name"),
        default_status: body.id("default_status_id", "Default status"),
        description: body.text("description", "Description"),
        position: body.integer("position", "Position"),
        enabled_fields: body.texts("enabled_standard_fields", "Enabled standard fields"),
        disabled_fields: body.texts("disabled_core_fields", "Disabled core fields"),
        custom_fields: body.ids("custom_field_ids", "Custom fields"),
        projects: body.ids("project_ids", "Projects"),
    };
    body.check()?;
    Ok(change)
}
