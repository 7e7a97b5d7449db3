//! Validates drafts of issues, with the messages and in the order of compatibility 6.4.

use super::draft::Draft;
use super::rights::Rights;
use super::{assignable, parents};
use crate::administration::custom_values;
use crate::prelude::*;
use quarry_domain::administration::custom_field::Values;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::ids::{PrincipalId, VersionId};
use quarry_domain::issues::issue::{Issue, MAX_SUBJECT_LENGTH};
use quarry_domain::validation::{ValidationError, too_long};

/// Validates the draft. `before` is the stored issue with its values, `None` for a new issue.
/// Unchanged attributes are not validated again, so that imported issues that break a rule can
/// still be edited.
pub fn validate(
    db: &Read<'_>,
    viewer: &Viewer,
    before: Option<(&Issue, &Values)>,
    draft: &Draft,
    rights: &Rights<'_>,
) -> Result<(), ActionError> {
    let catalogue = db.catalogue();
    let issue = &draft.issue;
    let invalid = draft.invalid;
    let old = before.map(|(issue, _)| issue);
    let changed = |differs: fn(&Issue, &Issue) -> bool| old.is_none_or(|old| differs(old, issue));
    let mut errors = ValidationErrors::new();
    errors.require_text("subject", "Subject", &issue.subject, MAX_SUBJECT_LENGTH);
    let old_subject = old.map(|old| old.subject.as_str());
    errors.refuse_line_breaks("subject", "Subject", &issue.subject, old_subject);
    limit_description(&mut errors, catalogue, old, issue);
    let mut priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
    if changed(|old, new| old.priority != new.priority)
        && !priorities.any(|value| value.id == issue.priority)
    {
        errors.add("priority_id", "Priority", "cannot be blank");
    }
    if invalid.done_ratio {
        errors.add("done_ratio", "% Done", "is not included in the list");
    }
    if invalid.estimated_hours {
        errors.add("estimated_hours", "Estimated time", "is invalid");
    }
    validate_dates(&mut errors, db, old, draft)?;
    if changed(|old, new| old.version != new.version || old.project != new.project)
        && issue
            .version
            .is_some_and(|version| !is_possible_version(catalogue, old, issue, version))
    {
        errors.add(
            "fixed_version_id",
            "Target version",
            "is not included in the list",
        );
    }
    if changed(|old, new| old.category != new.category || old.project != new.project)
        && issue.category.is_some_and(|id| {
            catalogue
                .categories
                .get(&id)
                .is_none_or(|category| category.project != issue.project)
        })
    {
        errors.add("category_id", "Category", "is not included in the list");
    }
    let is_author = |assignee: PrincipalId| {
        assignee == issue.author.into() && catalogue.is_active(issue.author)
    };
    if changed(|old, new| old.assignee != new.assignee)
        && issue.assignee.is_some_and(|assignee| {
            let is_unchanged = old.is_some_and(|old| old.assignee == Some(assignee));
            !is_author(assignee)
                && !is_unchanged
                && !assignable::in_project(catalogue, issue.project, assignee)
        })
    {
        errors.add("assigned_to_id", "Assignee", "is invalid");
    }
    if invalid.parent {
        errors.add("parent_issue_id", "Parent task", "is invalid");
    } else if changed(|old, new| old.parent != new.parent || old.status != new.status)
        && parents::is_open_below_closed(db, issue)?
    {
        errors.add_message("An open issue cannot be attached to a closed parent task");
    }
    validate_required(&mut errors, draft, rights);
    validate_custom_fields(&mut errors, catalogue, viewer, before, draft, rights);
    errors.into_result().map_err(ActionError::Invalid)
}

/// Adds an error for a changed description that is too long.
fn limit_description(
    errors: &mut ValidationErrors,
    catalogue: &Catalogue,
    old: Option<&Issue>,
    issue: &Issue,
) {
    let Some(error) = issue
        .description
        .as_deref()
        .and_then(|text| too_long(text, catalogue.max_text_length()))
    else {
        return;
    };
    let before = old.and_then(|old| old.description.as_deref());
    if before != issue.description.as_deref() {
        errors.add("description", "Description", &error);
    }
}

fn validate_dates(
    errors: &mut ValidationErrors,
    db: &Read<'_>,
    old: Option<&Issue>,
    draft: &Draft,
) -> Result<(), ActionError> {
    let issue = &draft.issue;
    let invalid = draft.invalid;
    if invalid.start_date {
        errors.add("start_date", "Start date", "is not a valid date");
    }
    if invalid.due_date {
        errors.add("due_date", "Due date", "is not a valid date");
    }
    if invalid.start_date || invalid.due_date {
        return Ok(());
    }
    let moved =
        old.is_none_or(|old| old.start_date != issue.start_date || old.due_date != issue.due_date);
    if moved
        && issue
            .start_date
            .zip(issue.due_date)
            .is_some_and(|(start, due)| due < start)
    {
        errors.add("due_date", "Due date", "must be greater than start date");
    }
    if let (Some(old), Some(start)) = (old, issue.start_date)
        && old.start_date != issue.start_date
        && let Some(soonest) = super::schedule::soonest_start(db, issue)?
        && start < soonest
    {
        let day = soonest.strftime("%m/%d/%Y");
        errors.add(
            "start_date",
            "Start date",
            &format!("cannot be earlier than {day} because of preceding issues"),
        );
    }
    Ok(())
}

/// Whether the issue can have the version: one that is shared with its project, and is open or
/// unchanged.
fn is_possible_version(
    catalogue: &Catalogue,
    old: Option<&Issue>,
    issue: &Issue,
    version: VersionId,
) -> bool {
    let is_unchanged = old.is_some_and(|old| old.version == Some(version));
    let version = catalogue.versions.get(&version);
    version.is_some_and(|version| {
        (is_unchanged || version.is_open()) && catalogue.is_shared_with(version, issue.project)
    })
}

/// Adds errors for the fields that the workflow requires.
fn validate_required(errors: &mut ValidationErrors, draft: &Draft, rights: &Rights<'_>) {
    let issue = &draft.issue;
    let core: [(&str, &str, bool); 9] = [
        ("category_id", "Category", issue.category.is_none()),
        ("assigned_to_id", "Assignee", issue.assignee.is_none()),
        (
            "fixed_version_id",
            "Target version",
            issue.version.is_none(),
        ),
        ("parent_issue_id", "Parent task", issue.parent.is_none()),
        ("start_date", "Start date", issue.start_date.is_none()),
        ("due_date", "Due date", issue.due_date.is_none()),
        (
            "estimated_hours",
            "Estimated time",
            issue.estimated_hours.is_none(),
        ),
        ("done_ratio", "% Done", false),
        (
            "description",
            "Description",
            issue.description.as_deref().is_none_or(str::is_empty),
        ),
    ];
    for (field, label, is_missing) in core {
        if is_missing && rights.requires(field) {
            errors.add(field, label, "cannot be blank");
        }
    }
}

fn validate_custom_fields(
    errors: &mut ValidationErrors,
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: Option<(&Issue, &Values)>,
    draft: &Draft,
    rights: &Rights<'_>,
) {
    let moved = before.is_none_or(|(old, _)| {
        old.project != draft.issue.project || old.tracker != draft.issue.tracker
    });
    let empty = Values::default();
    let old = before.map_or(&empty, |(_, values)| values);
    let fields = draft.fields(catalogue, viewer);
    custom_values::validate(
        catalogue,
        errors,
        fields.iter().copied().filter(|field| {
            moved
                || rights.requires(&field.id.to_string())
                || old.differs_in(field.id, &draft.values)
        }),
        (old, &draft.values),
        |field, id| custom_values::is_version_or_member(catalogue, draft.issue.project, field, id),
    );
    for field in fields
        .into_iter()
        .filter(|field| rights.requires(&field.id.to_string()) && !field.required)
    {
        if draft
            .values
            .get(field.id)
            .unwrap_or_default()
            .iter()
            .all(|value| value.trim().is_empty())
        {
            errors.push(ValidationError::for_custom_field(
                field.id,
                &field.name,
                "cannot be blank",
            ));
        }
    }
}
