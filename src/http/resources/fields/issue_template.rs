//! The fields of a template of issues in a form.

use crate::{BodyFields, Error};
use quarry_actions::issue_templates::IssueTemplateChange;
use quarry_wire::Input;

/// Parses the object `issue_template`.
pub fn parse(input: &Input) -> Result<IssueTemplateChange, Error> {
    let mut body = BodyFields::from_input(input, "issue_template")?;
    let change = IssueTemplateChange {
        tracker: body.id("tracker_id", "Tracker"),
        name: body.text("name", "Name"),
        subject: body.text("subject", "Subject"),
        description: body.text("description", "Description"),
        is_default: body.boolean("is_default", "Default"),
    };
    body.check()?;
    Ok(change)
}
