//! What is wrong with a draft, in the order and the words of compatibility 9.

use super::draft::{Draft, Fault, NO_ACTIVITY};
use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{CustomField, Format, Values};
use crate::domain::ids::{ProjectId, UserId, VersionId};
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::text::is_blank;
use crate::domain::time_entry::{MAX_COMMENTS_LENGTH, TimeEntry, as_clock};
use crate::domain::user::UserStatus;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Read, issues, time_entries};

/// Hours are kept in binary: so much may they be beyond a limit that they reach exactly.
const ROUNDING: f64 = 1e-6;

/// Judges the draft; `before` is the time entry as it was with its values, `None` for a new one. What was not touched is not
/// judged again, so that what was logged under other rules can still be put right.
pub fn validate(
    db: &Read<'_>,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let catalogue = db.catalogue();
    let (entry, wrong, old) = (&draft.entry, draft.wrong, before.map(|(entry, _)| entry));
    let changed = |differs: fn(&TimeEntry, &TimeEntry) -> bool| old.is_none_or(|old| differs(old, entry));
    let has_project = catalogue.projects.contains_key(&entry.project);
    let mut errors = ValidationErrors::new();
    blanks(&mut errors, catalogue, draft);
    if wrong.hours == Some(Fault::Invalid) {
        errors.add("Hours", "is invalid");
    }
    if entry.comments.as_ref().is_some_and(|text| text.chars().count() > MAX_COMMENTS_LENGTH) {
        errors.add("Comment", &format!("is too long (maximum is {MAX_COMMENTS_LENGTH} characters)"));
    }
    if wrong.spent_on == Some(Fault::Invalid) {
        errors.add("Date", "is not a valid date");
    }
    if wrong.project || wrong.no_project {
        errors.add("Project", "is invalid");
    }
    if wrong.issue {
        errors.add("Issue", "is invalid");
    }
    // A new entry without an activity has been complained of; one that loses it is told both (compatibility 9).
    let activity_said = old.is_some() || entry.activity != NO_ACTIVITY;
    let offered = || catalogue.activities_of(entry.project).any(|activity| activity.id == entry.activity);
    if has_project && activity_said && changed(|old, new| old.activity != new.activity || old.project != new.project) && !offered() {
        errors.add("Activity", "is not included in the list");
    }
    let same_user = old.map_or(viewer.user, |old| Some(old.user));
    if has_project && !wrong.no_user && !draft.is_of(same_user) && !may_log_for(catalogue, viewer, entry.user, entry.project) {
        errors.add("User", "is invalid");
    } else if wrong.hours.is_none() && wrong.spent_on.is_none() {
        limits(&mut errors, db, viewer, old, entry, clock)?;
    }
    if let Some(issue) = entry.issue.filter(|_| changed(|old, new| old.issue != new.issue))
        && !catalogue.is_on(Setting::TimelogAcceptClosedIssues)
        && issues::find_any(db, issue)?.is_some_and(|issue| catalogue.status(issue.status).is_some_and(|status| status.is_closed))
    {
        errors.add_message("Cannot log time on a closed issue");
    }
    custom_fields(&mut errors, catalogue, viewer, before, draft);
    errors.into_result().map_err(ActionError::Invalid)
}

fn blanks(errors: &mut ValidationErrors, catalogue: &Catalogue, draft: &Draft) {
    let (entry, wrong) = (&draft.entry, draft.wrong);
    let demanded = |field: &str| catalogue.list_setting(Setting::TimelogRequiredFields).any(|word| word == field);
    let comments_blank = entry.comments.as_deref().is_none_or(is_blank);
    let blanks = [
        ("Activity", entry.activity == NO_ACTIVITY),
        ("Project", wrong.no_project),
        ("User", wrong.no_user),
        ("Hours", wrong.hours == Some(Fault::Blank)),
        // What is no day counts as none as well, as in Redmine.
        ("Date", wrong.spent_on.is_some()),
        ("Issue", demanded("issue_id") && entry.issue.is_none() && !wrong.issue),
        ("Comment", demanded("comments") && comments_blank),
    ];
    for (label, _) in blanks.into_iter().filter(|(_, is_blank)| *is_blank) {
        errors.add(label, "cannot be blank");
    }
}

/// Whether the viewer may log the time of this user in the project: an active member of it who may log time there. A user who is not
/// a member is refused like somebody who does not exist, so that nobody learns who there is.
fn may_log_for(catalogue: &Catalogue, viewer: &Viewer, user: UserId, project: ProjectId) -> bool {
    let active = catalogue.users.get(&user).is_some_and(|user| user.status == UserStatus::Active);
    let logs = || {
        let other = Viewer::new(catalogue, Some(user));
        let rights = other.rights(project);
        rights.is_some_and(|rights| rights.permissions.contains(Permission::LogTime) && (rights.member || viewer.user == Some(user)))
    };
    viewer.may(Permission::LogTimeForOtherUsers, project) && active && logs()
}

/// How many hours one person can log on one day, and whether on days to come.
fn limits(
    errors: &mut ValidationErrors,
    db: &Read<'_>,
    viewer: &Viewer,
    old: Option<&TimeEntry>,
    entry: &TimeEntry,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let catalogue = db.catalogue();
    let most = catalogue.integer_setting(Setting::TimelogMaxHoursPerDay) as f64;
    let grows = old.is_none_or(|old| old.user != entry.user || old.spent_on != entry.spent_on || old.hours < entry.hours);
    if grows {
        let logged = time_entries::hours_on_day(db, entry.user, entry.spent_on, entry.id)?;
        if logged + entry.hours > most + ROUNDING {
            // How much others have logged is not for everybody to know, so it is told to themselves alone.
            let already = format!(" ({} hours have already been logged)", as_clock(logged));
            let already = if viewer.user == Some(entry.user) { already } else { String::new() };
            errors.add_message(&format!("Cannot log more than {} hours on the same day{already}", as_clock(most)));
        }
    }
    let moved = old.is_none_or(|old| old.spent_on != entry.spent_on);
    if moved && entry.spent_on > clock.today() && !catalogue.is_on(Setting::TimelogAcceptFutureDates) {
        errors.add_message("Cannot log time on a future date");
    }
    Ok(())
}

fn custom_fields(
    errors: &mut ValidationErrors,
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
) {
    if !catalogue.projects.contains_key(&draft.entry.project) {
        return;
    }
    for field in draft.fields(catalogue, viewer) {
        let values = draft.values.get(field.id).unwrap_or_default();
        let old = before.and_then(|(_, old)| old.get(field.id)).unwrap_or_default();
        if before.is_some() && old == values {
            continue;
        }
        let max = catalogue.max_text_length();
        if let Some(complaint) = field.validate_update(values, old, max, |id| is_offered(catalogue, draft.entry.project, field, id)) {
            errors.add(&field.name, &complaint);
        }
    }
}

fn is_offered(catalogue: &Catalogue, project: ProjectId, field: &CustomField, id: i64) -> bool {
    if field.format == Format::Version {
        return catalogue.versions.get(&VersionId(id)).is_some_and(|version| catalogue.is_shared_with(version, project));
    }
    let active = catalogue.users.get(&UserId(id)).is_some_and(|user| user.status == UserStatus::Active);
    active && Viewer::new(catalogue, Some(UserId(id))).rights(project).is_some_and(|rights| rights.member)
}
