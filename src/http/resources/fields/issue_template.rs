//! The fields of a template of issues in a form.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::issues::issue_templates::IssueTemplateChange;

impl FromBody for IssueTemplateChange {
    const OBJECT: &'static str = "issue_template";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(IssueTemplateChange {
            tracker: body.id("tracker_id", "Tracker"),
            name: body.text("name", "Name"),
            subject: body.text("subject", "Subject"),
            description: body.text("description", "Description"),
            is_default: body.boolean("is_default", "Default"),
        })
    }
}
