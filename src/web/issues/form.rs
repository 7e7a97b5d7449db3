//! The fields of an issue in forms: what the viewer may set, with the values that were typed or
//! that the issue has.

use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed, with_current};
use crate::form::custom_fields::CustomFieldRow;
use crate::prelude::*;
use quarry_actions::issues::Editable;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::ids::{PrincipalId, VersionId};
use quarry_domain::values::stable_sort::StableSort;

/// Returns all fields that the viewer may set, in their order.
pub fn fields(context: &FormContext<'_>) -> Vec<FormField> {
    let mut fields = core_fields(context);
    fields.extend(custom_fields(context));
    fields
}

/// What the fields of a form are made from.
#[derive(Clone, Copy)]
pub struct FormContext<'f> {
    pub catalogue: &'f Catalogue,
    pub viewer: &'f Viewer,
    /// The issue with what was typed.
    pub editable: &'f Editable<'f>,
    /// What was typed; null when the form is new.
    pub form: &'f Input,
}

/// The column of a field, its label, and the label in messages about it.
const LABELS: [(&str, &str); 14] = [
    ("tracker_id", "Tracker"),
    ("subject", "Subject"),
    ("description", "Description"),
    ("status_id", "Status"),
    ("priority_id", "Priority"),
    ("assigned_to_id", "Assignee"),
    ("category_id", "Category"),
    ("fixed_version_id", "Target version"),
    ("parent_issue_id", "Parent task"),
    ("start_date", "Start date"),
    ("due_date", "Due date"),
    ("estimated_hours", "Estimated time"),
    ("done_ratio", "% Done"),
    ("is_private", "Private"),
];

/// Whether issues have a field with this column, unless their tracker disables it.
pub fn is_core(column: &str) -> bool {
    LABELS.iter().any(|(name, _)| *name == column)
}

/// Returns the fields that the viewer may set.
pub fn core_fields(context: &FormContext<'_>) -> Vec<FormField> {
    let settable = LABELS
        .iter()
        .filter(|(column, _)| context.editable.may_set(column));
    settable
        .filter_map(|(column, label)| field(context, column, label))
        .collect()
}

fn field(context: &FormContext<'_>, column: &str, label: &str) -> Option<FormField> {
    let issue = &context.editable.issue;
    let name = format!("issue[{column}]");
    let text = |current: Option<String>| typed(context.form, &name).or(current).unwrap_or_default();
    let (kind, value, hint) = match column {
        "tracker_id" => (FieldKind::Select, issue.tracker.to_string(), ""),
        "status_id" => (FieldKind::Select, issue.status.to_string(), ""),
        "subject" => (FieldKind::Line, text(Some(issue.subject.clone())), ""),
        "description" => (FieldKind::LongText, text(issue.description.clone()), ""),
        "priority_id" => (FieldKind::Select, text(id_text(Some(issue.priority.0))), ""),
        "assigned_to_id" => (
            FieldKind::Select,
            text(id_text(issue.assignee.map(i64::from))),
            "",
        ),
        "category_id" => (
            FieldKind::Select,
            text(id_text(issue.category.map(i64::from))),
            "",
        ),
        "fixed_version_id" => (
            FieldKind::Select,
            text(id_text(issue.version.map(i64::from))),
            "",
        ),
        "parent_issue_id" => (
            FieldKind::Line,
            text(id_text(issue.parent.map(i64::from))),
            "The number of an issue.",
        ),
        "start_date" => (
            FieldKind::Date,
            text(issue.start_date.map(|day| day.to_string())),
            "",
        ),
        "due_date" => (
            FieldKind::Date,
            text(issue.due_date.map(|day| day.to_string())),
            "",
        ),
        "estimated_hours" => (
            FieldKind::Line,
            text(issue.estimated_hours.map(|hours| hours.to_string())),
            "Hours, such as 1.5 or 1:30.",
        ),
        "done_ratio" => (FieldKind::Select, text(id_text(Some(issue.done_ratio))), ""),
        "is_private" => (
            FieldKind::Switch,
            text(Some(if issue.private { "1" } else { "0" }.to_owned())),
            "",
        ),
        _ => return None,
    };
    let mut field = FormField::new(kind, name.clone(), label, value);
    field.hint = hint.to_owned();
    field.is_required = context.editable.requires(column) || column == "subject";
    field.is_wide |= column == "subject";
    field.choices = choices(context, column);
    // With a single option there is nothing to choose.
    let is_choice = !matches!(column, "tracker_id" | "category_id" | "fixed_version_id")
        || field.choices.len() > 1;
    (is_choice || field.is_required).then_some(field)
}

fn id_text(id: Option<i64>) -> Option<String> {
    id.map(|id| id.to_string())
}

fn choices(context: &FormContext<'_>, column: &str) -> Vec<Choice> {
    let catalogue = context.catalogue;
    let editable = context.editable;
    let issue = &context.editable.issue;
    let mut choices = Vec::new();
    let current = match column {
        "tracker_id" => {
            let trackers = editable
                .trackers
                .iter()
                .filter_map(|id| catalogue.tracker(*id));
            choices.extend(trackers.map(|tracker| choice(tracker.id, &tracker.name)));
            catalogue
                .tracker(issue.tracker)
                .map(|tracker| (tracker.id.to_string(), tracker.name.clone()))
        }
        "status_id" => {
            let statuses = editable
                .statuses
                .iter()
                .filter_map(|id| catalogue.status(*id));
            choices.extend(statuses.map(|status| choice(status.id, &status.name)));
            catalogue
                .status(issue.status)
                .map(|status| (status.id.to_string(), status.name.clone()))
        }
        "priority_id" => {
            choices.extend(
                editable
                    .priorities()
                    .map(|priority| choice(priority.id, &priority.name)),
            );
            catalogue
                .enumeration(issue.priority)
                .map(|priority| (priority.id.to_string(), priority.name.clone()))
        }
        "assigned_to_id" => {
            choices.push(choice("", "Nobody"));
            let name =
                |id: PrincipalId| catalogue.principal_name(id).unwrap_or_default().to_owned();
            let mut assignees = editable.assignees();
            let own = context.viewer.user.map(PrincipalId::from);
            assignees.stable_sort_by_key(|id| Some(*id) != own);
            choices.extend(assignees.into_iter().map(|id| {
                choice(
                    id,
                    if Some(id) == own {
                        format!("{} (me)", name(id))
                    } else {
                        name(id)
                    },
                )
            }));
            issue
                .assignee
                .filter(|id| catalogue.principal_name(*id).is_some())
                .filter(|id| may_name_assignee(context, *id))
                .map(|id| (id.to_string(), name(id)))
        }
        "category_id" => {
            choices.push(choice("", "None"));
            choices.extend(
                editable
                    .categories()
                    .into_iter()
                    .map(|(id, name)| choice(id, name)),
            );
            None
        }
        "fixed_version_id" => {
            choices.push(choice("", "None"));
            choices.extend(
                editable
                    .versions(true)
                    .into_iter()
                    .map(|(id, name)| choice(id, name)),
            );
            let version = issue.version.and_then(|id| catalogue.versions.get(&id));
            let version =
                version.filter(|version| catalogue.is_shared_with(version, issue.project));
            version.map(|version| (version.id.to_string(), version.name.clone()))
        }
        "done_ratio" => {
            choices.extend((0..=10).map(|tenth| choice(tenth * 10, format!("{} %", tenth * 10))));
            Some((
                issue.done_ratio.to_string(),
                format!("{} %", issue.done_ratio),
            ))
        }
        _ => None,
    };
    with_current(&mut choices, current);
    choices
}

/// Whether the viewer may read the name of somebody to whom the issue cannot be assigned: it is so
/// now, or they may see this user or group. The id may come from the request.
fn may_name_assignee(context: &FormContext<'_>, id: PrincipalId) -> bool {
    let stored = context.editable.stored.as_ref();
    stored.is_some_and(|(issue, _)| issue.assignee == Some(id))
        || visibility::can_see_principal(context.viewer, context.catalogue, id)
}

/// Likewise for a value of a custom field that is not among the choices.
fn may_name_value(context: &FormContext<'_>, custom: &CustomField, value: &str) -> bool {
    let stored = context.editable.stored.as_ref();
    let stored = stored.and_then(|(_, values)| values.get(custom.id));
    if stored.is_some_and(|values| values.iter().any(|stored| stored == value)) {
        return true;
    }
    let viewer = context.viewer;
    let catalogue = context.catalogue;
    match (custom.format, value.parse()) {
        (Format::User, Ok(id)) => visibility::can_see_principal(viewer, catalogue, PrincipalId(id)),
        (Format::Version, Ok(id)) => catalogue
            .versions
            .get(&VersionId(id))
            .is_some_and(|version| viewer.may(Permission::ViewIssues, version.project)),
        _ => true,
    }
}

/// Returns the custom fields that the viewer may set.
pub fn custom_fields(context: &FormContext<'_>) -> Vec<FormField> {
    context
        .editable
        .custom_fields()
        .map(|custom| custom_field(context, custom))
        .collect()
}

fn custom_field(context: &FormContext<'_>, custom: &CustomField) -> FormField {
    let catalogue = context.catalogue;
    let editable = context.editable;
    let row = CustomFieldRow {
        catalogue,
        object: "issue",
        custom,
        values: &editable.values,
        form: context.form,
    };
    let mut offered = Vec::new();
    let mut field = row.to_field(|format: Format| -> Vec<Choice> {
        let records = match format {
            Format::User => editable
                .members()
                .into_iter()
                .map(|id| {
                    choice(
                        id,
                        catalogue.principal_name(id).unwrap_or_default().to_owned(),
                    )
                })
                .collect(),
            _ => editable
                .versions(false)
                .into_iter()
                .map(|(id, name)| choice(id, name))
                .collect(),
        };
        offered.clone_from(&records);
        records
    });
    if matches!(custom.format, Format::User | Format::Version) {
        field.choices.retain(|choice| {
            choice.value.is_empty()
                || offered.iter().any(|other| other.value == choice.value)
                || may_name_value(context, custom, &choice.value)
        });
    }
    field.is_required |= editable.requires(&custom.id.to_string());
    field
}
