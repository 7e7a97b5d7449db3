//! Validates drafts of time entries, with the messages and in the order of compatibility 9.

use super::draft::{Draft, InvalidReason, NO_ACTIVITY};
use crate::administration::custom_values;
use crate::prelude::*;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::Values;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::issues::time_entry::{MAX_COMMENTS_LENGTH, TimeEntry, as_clock};
use quarry_domain::values::text::is_blank;
use quarry_store::issues;
use quarry_store::issues::time_entries;

/// Tolerance for sums of hours, which are binary fractions.
const TOLERANCE: f64 = 1e-6;

/// Validates the draft. `before` is the stored time entry with its values, `None` for a new one.
/// Unchanged attributes are not validated again, so that entries that break a newer rule can still
/// be edited.
pub fn validate(
    db: &Read<'_>,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
) -> Result<(), ActionError> {
    let catalogue = db.catalogue();
    let entry = &draft.entry;
    let invalid = draft.invalid;
    let old = before.map(|(entry, _)| entry);
    let changed =
        |differs: fn(&TimeEntry, &TimeEntry) -> bool| old.is_none_or(|old| differs(old, entry));
    // The project of a hidden issue is unknown here. The shared activities are used in place of its
    // own.
    let may_have_activities = catalogue.projects.contains_key(&entry.project)
        || (invalid.issue && !invalid.project && !invalid.no_project);
    let mut errors = ValidationErrors::new();
    validate_required(&mut errors, catalogue, draft);
    if invalid.hours == Some(InvalidReason::Invalid) {
        errors.add("hours", "Hours", "is invalid");
    }
    if entry
        .comments
        .as_ref()
        .is_some_and(|text| text.chars().count() > MAX_COMMENTS_LENGTH)
    {
        errors.add(
            "comments",
            "Comment",
            &format!("is too long (maximum is {MAX_COMMENTS_LENGTH} characters)"),
        );
    }
    if invalid.spent_on == Some(InvalidReason::Invalid) {
        errors.add("spent_on", "Date", "is not a valid date");
    }
    if invalid.project || invalid.no_project {
        errors.add("project_id", "Project", "is invalid");
    }
    let same_user = old.map_or(viewer.user, |old| Some(old.user));
    let is_user_valid = invalid.no_user
        || draft.is_of(same_user)
        || may_log_for(catalogue, viewer, entry.user, entry.project);
    if !is_user_valid {
        errors.add("user_id", "User", "is invalid");
    }
    if invalid.issue {
        errors.add("issue_id", "Issue", "is invalid");
    }
    // A new entry without an activity has one error, an update that clears it has two
    // (compatibility 9).
    let is_checked = old.is_some() || entry.activity != NO_ACTIVITY;
    if may_have_activities
        && is_checked
        && changed(|old, new| old.activity != new.activity || old.project != new.project)
        && !catalogue
            .activities_of(entry.project)
            .any(|activity| activity.id == entry.activity)
    {
        errors.add("activity_id", "Activity", "is not included in the list");
    }
    if is_user_valid && invalid.hours.is_none() && invalid.spent_on.is_none() {
        validate_limits(&mut errors, db, viewer, old, entry)?;
    }
    if let Some(issue) = entry
        .issue
        .filter(|_| changed(|old, new| old.issue != new.issue))
        && !catalogue.is_on(Setting::TimelogAcceptClosedIssues)
        && issues::find_any(db, issue)?.is_some_and(|issue| {
            catalogue
                .status(issue.status)
                .is_some_and(|status| status.is_closed)
        })
    {
        errors.add_message("Cannot log time on a closed issue");
    }
    validate_custom_fields(&mut errors, catalogue, viewer, before, draft);
    errors.into_result().map_err(ActionError::Invalid)
}

fn validate_required(errors: &mut ValidationErrors, catalogue: &Catalogue, draft: &Draft) {
    let entry = &draft.entry;
    let invalid = draft.invalid;
    let comments_blank = entry.comments.as_deref().is_none_or(is_blank);
    let blanks = [
        ("activity_id", "Activity", entry.activity == NO_ACTIVITY),
        ("project_id", "Project", invalid.no_project),
        ("user_id", "User", invalid.no_user),
        (
            "hours",
            "Hours",
            invalid.hours == Some(InvalidReason::Blank),
        ),
        // An invalid date counts as blank too, as in Redmine.
        ("spent_on", "Date", invalid.spent_on.is_some()),
        (
            "issue_id",
            "Issue",
            is_required(catalogue, "issue_id") && entry.issue.is_none() && !invalid.issue,
        ),
        (
            "comments",
            "Comment",
            is_required(catalogue, "comments") && comments_blank,
        ),
    ];
    for (attribute, label, _) in blanks.into_iter().filter(|(.., is_blank)| *is_blank) {
        errors.add(attribute, label, "cannot be blank");
    }
}

fn is_required(catalogue: &Catalogue, field: &str) -> bool {
    catalogue
        .list_setting(Setting::TimelogRequiredFields)
        .any(|word| word == field)
}

/// Whether the viewer may log time of this user in the project: an active member who may log time.
/// The error for other users is the same as for missing ones, so that it reveals nobody.
fn may_log_for(catalogue: &Catalogue, viewer: &Viewer, user: UserId, project: ProjectId) -> bool {
    let active = catalogue
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active);
    viewer.may(Permission::LogTimeForOtherUsers, project)
        && active
        && may_log(viewer, catalogue, user, project)
}

fn may_log(viewer: &Viewer, catalogue: &Catalogue, user: UserId, project: ProjectId) -> bool {
    let member = Viewer::new(catalogue, Some(user));
    let rights = member.rights(project);
    rights.is_some_and(|rights| {
        rights.permissions.contains(Permission::LogTime)
            && (rights.member || viewer.user == Some(user))
    })
}

/// Adds errors for too many hours on one day, and for dates in the future.
fn validate_limits(
    errors: &mut ValidationErrors,
    db: &Read<'_>,
    viewer: &Viewer,
    old: Option<&TimeEntry>,
    entry: &TimeEntry,
) -> Result<(), ActionError> {
    let catalogue = db.catalogue();
    let max = catalogue.integer_setting(Setting::TimelogMaxHoursPerDay) as f64;
    let grows = old.is_none_or(|old| {
        old.user != entry.user || old.spent_on != entry.spent_on || old.hours < entry.hours
    });
    if grows {
        let logged = time_entries::hours_on_day(db, entry.user, entry.spent_on, entry.id)?;
        if logged + entry.hours > max + TOLERANCE {
            // Shown only to the user whose time it is.
            let logged_hours = format!(" ({} hours have already been logged)", as_clock(logged));
            let logged_hours = if viewer.user == Some(entry.user) {
                logged_hours
            } else {
                String::new()
            };
            errors.add_message(&format!(
                "Cannot log more than {} hours on the same day{logged_hours}",
                as_clock(max)
            ));
        }
    }
    let moved = old.is_none_or(|old| old.spent_on != entry.spent_on);
    let today = time_zone::date_for_user(catalogue, viewer.user, db.now());
    if moved && entry.spent_on > today && !catalogue.is_on(Setting::TimelogAcceptFutureDates) {
        errors.add_message("Cannot log time on a future date");
    }
    Ok(())
}

fn validate_custom_fields(
    errors: &mut ValidationErrors,
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
) {
    if !catalogue.projects.contains_key(&draft.entry.project) {
        return;
    }
    let empty = Values::default();
    let project = draft.entry.project;
    let old = before.map_or(&empty, |(_, values)| values);
    let fields = draft.fields(catalogue, viewer);
    let validated = fields
        .into_iter()
        .filter(|field| before.is_none() || old.differs_in(field.id, &draft.values));
    let is_selectable =
        |field: &_, id| custom_values::is_version_or_member(catalogue, project, field, id);
    custom_values::validate(
        catalogue,
        errors,
        validated,
        (old, &draft.values),
        is_selectable,
    );
}
