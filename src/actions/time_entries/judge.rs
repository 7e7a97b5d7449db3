//! What is wrong with a draft, in the order and the words of contract 7.

use super::draft::{Draft, Fault, NO_ACTIVITY};
use crate::actions::Refused;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{CustomField, Format, Values};
use crate::domain::ids::{ProjectId, UserId, VersionId};
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::text::is_blank;
use crate::domain::time_entry::{LONGEST_COMMENTS, TimeEntry, clock as hours_and_minutes};
use crate::domain::user::UserStatus;
use crate::domain::validation::Complaints;
use crate::domain::viewer::Viewer;
use crate::store::{Read, issues, time_entries};

/// Hours are kept in binary: so much may they be beyond a limit that they reach exactly.
const ROUNDING: f64 = 1e-6;

/// Judges the draft; `before` is the time entry as it was with its values, `None` for a new one. What was not touched is not
/// judged again, so that what was logged under other rules can still be put right.
pub fn judge(
    db: &Read<'_>,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
    clock: &dyn Clock,
) -> Result<(), Refused> {
    let catalogue = db.catalogue();
    let (entry, wrong, old) = (&draft.entry, draft.wrong, before.map(|(entry, _)| entry));
    let changed = |differs: fn(&TimeEntry, &TimeEntry) -> bool| old.is_none_or(|old| differs(old, entry));
    let has_project = catalogue.projects.contains_key(&entry.project);
    let mut complaints = Complaints::new();
    blanks(&mut complaints, catalogue, draft);
    if wrong.hours == Some(Fault::Invalid) {
        complaints.add("Hours", "is invalid");
    }
    if entry.comments.as_ref().is_some_and(|text| text.chars().count() > LONGEST_COMMENTS) {
        complaints.add("Comment", &format!("is too long (maximum is {LONGEST_COMMENTS} characters)"));
    }
    if wrong.spent_on == Some(Fault::Invalid) {
        complaints.add("Date", "is not a valid date");
    }
    if wrong.project || wrong.no_project {
        complaints.add("Project", "is invalid");
    }
    if wrong.issue {
        complaints.add("Issue", "is invalid");
    }
    // A new entry without an activity has been complained of; one that loses it is told both (contract 7).
    let activity_said = old.is_some() || entry.activity != NO_ACTIVITY;
    let offered = || catalogue.activities_of(entry.project).any(|activity| activity.id == entry.activity);
    if has_project && activity_said && changed(|old, new| old.activity != new.activity || old.project != new.project) && !offered() {
        complaints.add("Activity", "is not included in the list");
    }
    let same_user = old.map_or(viewer.user, |old| Some(old.user));
    if has_project && !wrong.no_user && !draft.is_of(same_user) && !may_log_for(catalogue, viewer, entry.user, entry.project) {
        complaints.add("User", "is invalid");
    } else if wrong.hours.is_none() && wrong.spent_on.is_none() {
        limits(&mut complaints, db, viewer, old, entry, clock)?;
    }
    if let Some(issue) = entry.issue.filter(|_| changed(|old, new| old.issue != new.issue))
        && !catalogue.is_on(Setting::TimelogAcceptClosedIssues)
        && issues::any(db, issue)?.is_some_and(|issue| catalogue.status(issue.status).is_some_and(|status| status.is_closed))
    {
        complaints.say("Cannot log time on a closed issue");
    }
    custom_fields(&mut complaints, catalogue, viewer, before, draft);
    complaints.into_result().map_err(Refused::Invalid)
}

fn blanks(complaints: &mut Complaints, catalogue: &Catalogue, draft: &Draft) {
    let (entry, wrong) = (&draft.entry, draft.wrong);
    let demanded = |field: &str| catalogue.words(Setting::TimelogRequiredFields).any(|word| word == field);
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
        complaints.add(label, "cannot be blank");
    }
}

/// Whether the viewer may log the time of this user in the project: an active member of it who may log time there. Whoever is not
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
    complaints: &mut Complaints,
    db: &Read<'_>,
    viewer: &Viewer,
    old: Option<&TimeEntry>,
    entry: &TimeEntry,
    clock: &dyn Clock,
) -> Result<(), Refused> {
    let catalogue = db.catalogue();
    let most = catalogue.number(Setting::TimelogMaxHoursPerDay) as f64;
    let grows = old.is_none_or(|old| old.user != entry.user || old.spent_on != entry.spent_on || old.hours < entry.hours);
    if grows {
        let logged = time_entries::on_day(db, entry.user, entry.spent_on, entry.id)?;
        if logged + entry.hours > most + ROUNDING {
            // How much others have logged is not for everybody to know, so it is told to themselves alone.
            let already = format!(" ({} hours have already been logged)", hours_and_minutes(logged));
            let already = if viewer.user == Some(entry.user) { already } else { String::new() };
            complaints.say(&format!("Cannot log more than {} hours on the same day{already}", hours_and_minutes(most)));
        }
    }
    let moved = old.is_none_or(|old| old.spent_on != entry.spent_on);
    if moved && entry.spent_on > clock.today() && !catalogue.is_on(Setting::TimelogAcceptFutureDates) {
        complaints.say("Cannot log time on a future date");
    }
    Ok(())
}

fn custom_fields(
    complaints: &mut Complaints,
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: Option<(&TimeEntry, &Values)>,
    draft: &Draft,
) {
    if !catalogue.projects.contains_key(&draft.entry.project) {
        return;
    }
    for field in draft.fields(catalogue, viewer) {
        let values = draft.values.of(field.id).unwrap_or_default();
        let old = before.and_then(|(_, old)| old.of(field.id)).unwrap_or_default();
        if before.is_some() && old == values {
            continue;
        }
        let max = catalogue.max_text_length();
        if let Some(complaint) = field.complaint_within(values, old, max, |id| is_offered(catalogue, draft.entry.project, field, id)) {
            complaints.add(&field.name, &complaint);
        }
    }
}

fn is_offered(catalogue: &Catalogue, project: ProjectId, field: &CustomField, id: i64) -> bool {
    if field.format == Format::Version {
        return catalogue.versions.get(&VersionId(id)).is_some_and(|version| version.is_shared_with(project, catalogue));
    }
    let active = catalogue.users.get(&UserId(id)).is_some_and(|user| user.status == UserStatus::Active);
    active && Viewer::new(catalogue, Some(UserId(id))).rights(project).is_some_and(|rights| rights.member)
}
