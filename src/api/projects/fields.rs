//! What a body says of a project, read into a change (contract 6).

use crate::domain::project::ProjectChange;
use crate::http::{Ask, Error, Said};

/// Reads the object `project`; without one there is nothing to change. A value of the wrong shape is named in a 422.
pub fn read(ask: &Ask) -> Result<ProjectChange, Error> {
    let mut said = Said::of(ask, "project")?;
    let change = ProjectChange {
        name: said.text("name", "Name"),
        identifier: said.text("identifier", "Identifier"),
        description: said.text("description", "Description"),
        homepage: said.text("homepage", "Homepage"),
        is_public: said.switch("is_public", "Public"),
        parent: said.id("parent_id", "Subproject of"),
        inherit_members: said.switch("inherit_members", "Inherit members"),
        trackers: said.ids("tracker_ids", "Trackers"),
        modules: said.texts("enabled_module_names", "Modules"),
        default_version: said.id("default_version_id", "Default version"),
        default_assignee: said.id("default_assigned_to_id", "Default assignee"),
        issue_fields: said.ids("issue_custom_field_ids", "Custom fields"),
        values: said.custom_fields(),
    };
    said.finish()?;
    Ok(change)
}
