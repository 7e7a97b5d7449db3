//! Parses the body of a request about a tracker.

use crate::actions::trackers::TrackerChange;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `tracker`, for administrators.
pub fn parse(request: &RequestContext) -> Result<TrackerChange, Error> {
    request.require_admin()?;
    let mut body = BodyFields::from_body(request, "tracker")?;
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
