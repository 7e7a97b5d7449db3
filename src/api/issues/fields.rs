//! What a body says of an issue, read into a change (contract 4.4, 4.5).

use crate::actions::attachments::NewUpload;
use crate::api::attachments::view;
use crate::domain::given::Given;
use crate::domain::ids::PrincipalId;
use crate::domain::issue::IssueChange;
use crate::http::{Ask, Error, Said};

/// Reads the object `issue`; without one there is nothing to change. A value of the wrong shape is named in a 422.
pub fn read(ask: &Ask) -> Result<IssueChange, Error> {
    let mut said = Said::of(ask, "issue")?;
    let assignee = match said.text("assigned_to_id", "Assignee") {
        Given::Value(text) if text == "me" => ask.viewer().user.map_or(Given::Empty, |user| Given::Value(user.into())),
        other => other.map(|text| PrincipalId(text.trim().parse().unwrap_or(0))),
    };
    let change = IssueChange {
        project: said.text("project_id", "Project"),
        tracker: said.id("tracker_id", "Tracker"),
        status: said.id("status_id", "Status"),
        priority: said.id("priority_id", "Priority"),
        assignee,
        category: said.id("category_id", "Category"),
        version: said.id("fixed_version_id", "Target version"),
        parent: said.text("parent_issue_id", "Parent task"),
        start_date: said.text("start_date", "Start date"),
        due_date: said.text("due_date", "Due date"),
        done_ratio: said.text("done_ratio", "% Done"),
        estimated_hours: said.text("estimated_hours", "Estimated time"),
        custom: said.custom_fields(),
        watchers: said.ids("watcher_user_ids", "Watchers"),
        lock_version: said.id("lock_version", "Lock version"),
        subject: said.text("subject", "Subject"),
        description: said.text("description", "Description"),
        private: said.switch("is_private", "Private"),
        notes: said.text("notes", "Notes"),
        private_notes: said.switch("private_notes", "Private notes"),
    };
    said.finish()?;
    Ok(change)
}

/// The uploads that are to be hung on the issue.
pub fn uploads(ask: &Ask) -> Result<Vec<NewUpload>, Error> {
    ask.body.get("issue").map_or_else(|| Ok(Vec::new()), view::uploads)
}
