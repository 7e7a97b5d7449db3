//! The fields of a version in a request (compatibility 11.8).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::projects::versions::VersionChange;

/// `effective_date` is an older name of `due_date`.
impl FromBody for VersionChange {
    const OBJECT: &'static str = "version";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let due_date = body.text("due_date", "Due date");
        let effective_date = body.text("effective_date", "Due date");
        Ok(VersionChange {
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
        })
    }
}
