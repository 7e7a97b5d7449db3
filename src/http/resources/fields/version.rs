//! The fields of a version in a request (compatibility 11.8).

use crate::{BodyFields, Error};
use quarry_actions::versions::VersionChange;
use quarry_wire::Input;

/// Parses the object `version`; without one nothing changes. `effective_date` is an older name of
/// `due_date`.
pub fn parse(input: &Input) -> Result<VersionChange, Error> {
    let mut body = BodyFields::from_input(input, "version")?;
    let due_date = body.text("due_date", "Due date");
    let effective_date = body.text("effective_date", "Due date");
    let change = VersionChange {
        name: body.text("name", "Name"),
        description: body.text_or_empty("description", "Description"),
        status: body.text("status", "Status"),
        due_date: if due_date.is_present() {
            due_date
        } else {
            effective_date
        },
        sharing: body.text("sharing", "Sharing"),
        wiki_page_title: body.text("wiki_page_title", "Wiki page"),
        is_default: body
            .boolean("default_project_version", "Default version")
            .value()
            .copied(),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}
