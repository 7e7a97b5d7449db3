//! What people call the parts of a workflow.

use quarry_domain::administration::workflow::Rule;
use quarry_domain::administration::workflow_plan::TransitionKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
use quarry_domain::values::text::capitalize;

/// The label of the status before an issue exists.
pub const NEW_ISSUE: &str = "New issue";

/// Returns the label of a field that has rules: a core field, or a custom field by its id.
pub fn field_label(catalogue: &Catalogue, field: &str) -> String {
    let label = match field {
        "project_id" => "Project",
        "tracker_id" => "Tracker",
        "subject" => "Subject",
        "is_private" => "Private",
        "priority_id" => "Priority",
        "assigned_to_id" => "Assignee",
        "category_id" => "Category",
        "fixed_version_id" => "Target version",
        "parent_issue_id" => "Parent task",
        "start_date" => "Start date",
        "due_date" => "Due date",
        "estimated_hours" => "Estimated time",
        "done_ratio" => "% Done",
        "description" => "Description",
        _ => {
            let mut fields = catalogue.custom_fields.iter();
            let custom = fields.find(|custom| custom.id.to_string() == field);
            return custom.map_or_else(|| capitalize(field), |custom| custom.name.clone());
        }
    };
    label.to_owned()
}

/// Returns the name of a status; `None` stands for a new issue.
pub fn status(catalogue: &Catalogue, status: Option<StatusId>) -> String {
    let Some(id) = status else {
        return NEW_ISSUE.to_owned();
    };
    let status = catalogue.status(id);
    status.map_or_else(|| id.to_string(), |status| status.name.clone())
}

/// Returns the name of a role.
pub fn role(catalogue: &Catalogue, id: RoleId) -> &str {
    catalogue.role(id).map_or("", |role| role.name.as_str())
}

/// Returns the name of a tracker.
pub fn tracker(catalogue: &Catalogue, id: TrackerId) -> &str {
    catalogue
        .tracker(id)
        .map_or("", |tracker| tracker.name.as_str())
}

/// Returns the people of a role to whom transitions of a kind apply.
pub fn people(role: &str, kind: TransitionKind) -> String {
    match kind {
        TransitionKind::Everybody => role.to_owned(),
        TransitionKind::Author => format!("{role} as the author"),
        TransitionKind::Assignee => format!("{role} as the assignee"),
    }
}

/// Returns the label of a rule about a field.
pub fn rule(rule: Option<Rule>) -> &'static str {
    match rule {
        None => "free",
        Some(Rule::ReadOnly) => "read-only",
        Some(Rule::Required) => "required",
    }
}
