//! The fields of an issue in a request, for the API and for pages (compatibility 6.4 and 6.5).

use crate::{BodyFields, Error, RequestContext};
use quarry_domain::ids::PrincipalId;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Parses the object `issue` of a body or a query string; without one nothing changes. A value of
/// the wrong type is a 422 that names it.
pub fn parse(request: &RequestContext, input: &Input) -> Result<IssueChange, Error> {
    let mut body = BodyFields::from_input(input, "issue")?;
    let assignee = match body.text("assigned_to_id", "Assignee") {
        Patch::Set(text) if text == "me" => request
            .viewer()
            .user
            .map_or(Patch::Clear, |user| Patch::Set(user.into())),
        other => other.map(|text| PrincipalId(text.trim().parse().unwrap_or(0))),
    };
    let change = IssueChange {
        project: body.text("project_id", "Project"),
        tracker: body.id("tracker_id", "Tracker"),
        status: body.id("status_id", "Status"),
        priority: body.id("priority_id", "Priority"),
        assignee,
        category: body.id("category_id", "Category"),
        version: body.id("fixed_version_id", "Target version"),
        parent: body.text("parent_issue_id", "Parent task"),
        start_date: body.text("start_date", "Start date"),
        due_date: body.text("due_date", "Due date"),
        done_ratio: body.text("done_ratio", "% Done"),
        estimated_hours: body.text("estimated_hours", "Estimated time"),
        custom: body.custom_fields(),
        watchers: body.ids("watcher_user_ids", "Watchers"),
        deleted_files: body.ids("deleted_attachment_ids", "Deleted attachment ids"),
        lock_version: body.id("lock_version", "Lock version"),
        subject: body.text("subject", "Subject"),
        description: body.text_or_empty("description", "Description"),
        private: body.boolean("is_private", "Private"),
        notes: body.text("notes", "Notes"),
        private_notes: body.boolean("private_notes", "Private notes"),
        restores: false,
    };
    body.check()?;
    Ok(change)
}
