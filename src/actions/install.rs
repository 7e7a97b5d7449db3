//! The first start: roles, trackers, statuses, priorities, activities and workflow as Redmine's default data has them, with
//! the same numbers in every new installation.

use super::ActionError;
use crate::domain::catalogue::EnumerationKind;
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::permission::{Permission, PermissionSet};
use crate::domain::role::IssuesVisibility;
use crate::domain::workflow::Transition;
use crate::store::roles::{self, NewRole};
use crate::store::{Write, enumerations, trackers, workflow};

const STATUSES: &[(&str, bool)] =
    &[("New", false), ("In Progress", false), ("Resolved", false), ("Feedback", false), ("Closed", true), ("Rejected", true)];
const TRACKERS: &[&str] = &["Bug", "Feature", "Support"];
const PRIORITIES: &[&str] = &["Low", "Normal", "High", "Urgent", "Immediate"];
const CATEGORIES: &[&str] = &["User documentation", "Technical documentation"];
const ACTIVITIES: &[&str] = &["Design", "Development"];

const ANONYMOUS: &[Permission] = &[
    Permission::ViewIssues,
    Permission::ViewGantt,
    Permission::ViewCalendar,
    Permission::ViewTimeEntries,
    Permission::ViewNews,
    Permission::ViewDocuments,
    Permission::ViewWikiPages,
    Permission::ViewWikiEdits,
    Permission::ViewMessages,
    Permission::ViewFiles,
    Permission::BrowseRepository,
    Permission::ViewChangesets,
];
/// What Non member has beyond Anonymous.
const NON_MEMBER: &[Permission] =
    &[Permission::AddIssues, Permission::AddIssueNotes, Permission::SaveQueries, Permission::CommentNews, Permission::AddMessages];
/// What Reporter has beyond Non member.
const REPORTER: &[Permission] = &[Permission::LogTime, Permission::EditOwnMessages];
/// What Developer has beyond Reporter.
const DEVELOPER: &[Permission] = &[
    Permission::ManageVersions,
    Permission::ManageCategories,
    Permission::EditIssues,
    Permission::ViewPrivateNotes,
    Permission::SetNotesPrivate,
    Permission::ManageIssueRelations,
    Permission::ManageSubtasks,
    Permission::EditWikiPages,
    Permission::DeleteWikiPages,
    Permission::ManageFiles,
    Permission::CommitAccess,
    Permission::ManageRelatedIssues,
];

/// The steps of Developer and of Reporter, by place in `STATUSES`; a Manager may take every step.
const DEVELOPER_STEPS: &[(usize, &[usize])] = &[(0, &[1, 2, 3, 4]), (1, &[2, 3, 4]), (2, &[1, 3, 4]), (3, &[1, 2, 4])];
const REPORTER_STEPS: &[(usize, &[usize])] = &[(0, &[4]), (1, &[4]), (2, &[4, 3]), (3, &[4])];

/// Puts the default data into an empty store; `false` when there are roles already, and nothing is done.
pub fn default_data(db: &mut Write<'_>) -> Result<bool, ActionError> {
    if !db.catalogue().roles.is_empty() {
        return Ok(false);
    }
    let [manager, developer, reporter] = default_roles(db)?;
    let statuses = positions(STATUSES).map(|(place, (name, closed))| trackers::insert_status(db, name, place, *closed));
    let statuses: Vec<StatusId> = statuses.collect::<Result<_, _>>()?;
    let trackers = positions(TRACKERS).map(|(place, name)| trackers::insert(db, name, place, statuses[0]));
    let trackers: Vec<TrackerId> = trackers.collect::<Result<_, _>>()?;
    for (kind, names) in [
        (EnumerationKind::IssuePriority, PRIORITIES),
        (EnumerationKind::DocumentCategory, CATEGORIES),
        (EnumerationKind::TimeEntryActivity, ACTIVITIES),
    ] {
        for (place, name) in positions(names) {
            enumerations::insert(db, kind, name, place, *name == "Normal")?;
        }
    }
    for tracker in &trackers {
        for from in &statuses {
            let others = statuses.iter().filter(|to| *to != from);
            permit(db, *tracker, manager, *from, others.copied())?;
        }
        for (role, steps) in [(developer, DEVELOPER_STEPS), (reporter, REPORTER_STEPS)] {
            for (from, to) in steps {
                permit(db, *tracker, role, statuses[*from], to.iter().map(|place| statuses[*place]))?;
            }
        }
    }
    Ok(true)
}

fn default_roles(db: &mut Write<'_>) -> Result<[RoleId; 3], ActionError> {
    let anonymous = set(&[ANONYMOUS]);
    let non_member = set(&[ANONYMOUS, NON_MEMBER]);
    let reporter = set(&[ANONYMOUS, NON_MEMBER, REPORTER]);
    let developer = set(&[ANONYMOUS, NON_MEMBER, REPORTER, DEVELOPER]);
    let mut add = |name, position, builtin, permissions, issues_visibility| {
        roles::insert(db, &NewRole { name, position, builtin, permissions, issues_visibility })
    };
    add("Non member", 0, 1, non_member, IssuesVisibility::Default)?;
    add("Anonymous", 0, 2, anonymous, IssuesVisibility::Default)?;
    Ok([
        add("Manager", 1, 0, PermissionSet::all(), IssuesVisibility::All)?,
        add("Developer", 2, 0, developer, IssuesVisibility::Default)?,
        add("Reporter", 3, 0, reporter, IssuesVisibility::Default)?,
    ])
}

fn set(lists: &[&[Permission]]) -> PermissionSet {
    lists.iter().flat_map(|list| list.iter().copied()).collect()
}

fn permit(
    db: &mut Write<'_>,
    tracker: TrackerId,
    role: RoleId,
    from: StatusId,
    to: impl Iterator<Item = StatusId>,
) -> Result<(), ActionError> {
    for to in to {
        workflow::insert_transition(db, tracker, role, Some(from), Transition { to, author: false, assignee: false })?;
    }
    Ok(())
}

fn positions<T>(list: &[T]) -> impl Iterator<Item = (i64, &T)> {
    (1..).zip(list)
}
