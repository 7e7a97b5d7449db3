//! The details of a journal (compatibility 6.2).

use quarry_domain::administration::custom_field::{CustomField, Customized, Values, changes};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::JournalDetail;

/// Returns the differences: attributes first, then custom fields.
pub fn details(
    catalogue: &Catalogue,
    before: (&Issue, &Values),
    after: (&Issue, &Values),
) -> Vec<JournalDetail> {
    let old = attributes(before.0);
    let new = attributes(after.0);
    let changed = old
        .into_iter()
        .zip(new)
        .filter(|((_, old), (_, new))| old != new);
    let mut details: Vec<JournalDetail> = changed
        .map(|((name, old_value), (_, new_value))| JournalDetail {
            property: "attr".to_owned(),
            name: name.to_owned(),
            old_value,
            new_value,
        })
        .collect();
    let fields: Vec<&CustomField> = catalogue.custom_fields_of(Customized::Issue).collect();
    details.extend(changes(&fields, before.1, after.1).into_iter().map(
        |(field, old_value, new_value)| JournalDetail {
            property: "cf".to_owned(),
            name: field.to_string(),
            old_value,
            new_value,
        },
    ));
    details
}

/// Returns the attributes that journals record, in their order.
fn attributes(issue: &Issue) -> [(&'static str, Option<String>); 15] {
    [
        ("tracker_id", to_text(Some(issue.tracker.0))),
        ("project_id", to_text(Some(issue.project.0))),
        ("subject", Some(issue.subject.clone())),
        ("description", issue.description.clone()),
        ("due_date", issue.due_date.map(|date| date.to_string())),
        ("category_id", to_text(issue.category.map(i64::from))),
        ("status_id", to_text(Some(issue.status.0))),
        ("assigned_to_id", to_text(issue.assignee.map(i64::from))),
        ("priority_id", to_text(Some(issue.priority.0))),
        ("fixed_version_id", to_text(issue.version.map(i64::from))),
        ("start_date", issue.start_date.map(|date| date.to_string())),
        ("done_ratio", Some(issue.done_ratio.to_string())),
        (
            "estimated_hours",
            issue.estimated_hours.map(|hours| format!("{hours:?}")),
        ),
        ("parent_id", to_text(issue.parent.map(i64::from))),
        (
            "is_private",
            Some(if issue.private { "1" } else { "0" }.to_owned()),
        ),
    ]
}

fn to_text(id: Option<i64>) -> Option<String> {
    id.map(|id| id.to_string())
}
