//! Which of the requested values an issue did not get: those that the viewer may not set are ignored
//! by [`super::super::update()`].

use crate::prelude::*;
use quarry_domain::administration::custom_field::Values;
use quarry_domain::ids::{StatusId, TrackerId};
use quarry_domain::issues::hours;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::values::text::is_blank;

/// An issue after a change, which was in this project, tracker and status before.
pub struct Changed<'a> {
    pub before: (ProjectId, TrackerId, StatusId),
    pub after: &'a Issue,
    /// The parent of the issue, if the viewer may see it.
    pub visible_parent: Option<IssueId>,
    pub values: &'a Values,
}

/// Returns why the issue does not have a requested value; `None` if it has all.
pub fn reason(
    catalogue: &Catalogue,
    viewer: &Viewer,
    changed: &Changed<'_>,
    change: &IssueChange,
) -> Option<String> {
    let after = changed.after;
    let (project, tracker, old_status) = changed.before;
    if let Some(reference) = change.project.value()
        && catalogue.project_by(reference).map(|project| project.id) != Some(after.project)
    {
        return Some("it cannot be in this project".to_owned());
    }
    if differs(&change.tracker, Some(after.tracker)) {
        return Some("it cannot have this tracker".to_owned());
    }
    if let Some(status) = change.status.value().filter(|id| **id != after.status) {
        let name = |id| {
            let status = catalogue.status(id);
            status.map_or("?", |status| status.name.as_str())
        };
        return Some(format!(
            "no transition from {} to {} is possible for you now",
            name(old_status),
            name(*status)
        ));
    }
    let has_note = change.notes.value().is_some_and(|note| !is_blank(note));
    if has_note && !viewer.may_on(Permission::AddIssueNotes, project, tracker) {
        return Some("you cannot add notes to it".to_owned());
    }
    let fields = [
        ("Priority", differs(&change.priority, Some(after.priority))),
        ("Assignee", differs(&change.assignee, after.assignee)),
        ("Category", differs(&change.category, after.category)),
        ("Target version", differs(&change.version, after.version)),
        (
            "Parent task",
            text_differs(&change.parent, changed.visible_parent.map(|id| id.0)),
        ),
        (
            "Start date",
            text_differs(&change.start_date, after.start_date),
        ),
        ("Due date", text_differs(&change.due_date, after.due_date)),
        (
            "Estimated time",
            match change.estimated_hours.value() {
                Some(text) => hours::parse(text) != after.estimated_hours,
                None => text_differs(&change.estimated_hours, after.estimated_hours),
            },
        ),
        (
            "% Done",
            text_differs(&change.done_ratio, Some(after.done_ratio)),
        ),
        ("Private", differs(&change.private, Some(after.private))),
    ];
    if let Some((label, _)) = fields.iter().find(|(_, differs)| *differs) {
        return Some(format!("{label} cannot be set for it"));
    }
    let sorted = |values: &[String]| {
        let values = values.iter().filter(|value| !value.is_empty());
        let mut values: Vec<String> = values.cloned().collect();
        values.sort_unstable();
        values
    };
    change.custom.iter().find_map(|(id, requested)| {
        let mut fields = catalogue.custom_fields.iter();
        let field =
            fields.find(|field| field.id == *id && field.is_visible_to(viewer, after.project));
        // The same for every value, so that the answer does not tell which one a hidden field has.
        let Some(field) = field else {
            return Some("A field cannot be set for it".to_owned());
        };
        let value = sorted(changed.values.get(*id).unwrap_or_default());
        (value != sorted(requested)).then(|| format!("{} cannot be set for it", field.name))
    })
}

/// Whether the value is not the requested one.
fn differs<T: PartialEq>(requested: &Patch<T>, value: Option<T>) -> bool {
    match requested {
        Patch::Unset => false,
        Patch::Clear => value.is_some(),
        Patch::Set(requested) => value.as_ref() != Some(requested),
    }
}

/// Whether the value is not the one in the text. Texts in other notations, which only the validation
/// understands, count as equal to any value.
fn text_differs<T: PartialEq + std::str::FromStr>(
    requested: &Patch<String>,
    value: Option<T>,
) -> bool {
    match requested {
        Patch::Unset => false,
        Patch::Clear => value.is_some(),
        Patch::Set(text) => match text.trim().trim_start_matches('#').parse::<T>() {
            Ok(requested) => value != Some(requested),
            Err(_) => value.is_none() && !is_blank(text),
        },
    }
}
