//! The fields of a project in a request, for the API and for pages (compatibility 8).

use crate::{BodyFields, Error};
use quarry_domain::projects::project::ProjectChange;
use quarry_wire::Input;

/// Parses the object `project` of a body; without one nothing changes. A value of the wrong type is
/// a 422 that names it.
pub fn parse(input: &Input) -> Result<ProjectChange, Error> {
    let mut body = BodyFields::from_input(input, "project")?;
    let change = ProjectChange {
        name: body.text("name", "Name"),
        identifier: body.text("identifier", "Identifier"),
        description: body.text_or_empty("description", "Description"),
        homepage: body.text_or_empty("homepage", "Homepage"),
        is_public: body.boolean("is_public", "Public"),
        parent: body.id("parent_id", "Subproject of"),
        inherit_members: body.boolean("inherit_members", "Inherit members"),
        trackers: body.ids("tracker_ids", "Trackers"),
        modules: body.texts("enabled_module_names", "Modules"),
        default_version: body.id("default_version_id", "Default version"),
        default_assignee: body.id("default_assigned_to_id", "Default assignee"),
        default_query: body.id("default_issue_query_id", "Default issue query"),
        issue_fields: body.ids("issue_custom_field_ids", "Custom fields"),
        values: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}
