//! The data of a new installation: roles, trackers, statuses, enumerations and workflow as in
//! Redmine's default data, with the same ids in every installation.

use crate::prelude::*;
use quarry_domain::access::permission::PermissionSet;
use quarry_domain::access::role::{Builtin, IssuesVisibility, Role};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::administration::workflow::Transition;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
use quarry_store::administration::{enumerations, issue_statuses, roles, trackers, workflow};

const STATUSES: &[(&str, bool)] = &[
    ("New", false),
    ("In Progress", false),
    ("Resolved", false),
    ("Feedback", false),
    ("Closed", true),
    ("Rejected", true),
];
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
/// The permissions of Non member beyond those of Anonymous.
const NON_MEMBER: &[Permission] = &[
    Permission::AddIssues,
    Permission::AddIssueNotes,
    Permission::SaveQueries,
    Permission::CommentNews,
    Permission::AddMessages,
];
/// The permissions of Reporter beyond those of Non member.
const REPORTER: &[Permission] = &[Permission::LogTime, Permission::EditOwnMessages];
/// The permissions of Developer beyond those of Reporter.
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

/// The status transitions of Developer, by index in `STATUSES`. Manager has all transitions.
const DEVELOPER_TRANSITIONS: &[(usize, &[usize])] = &[
    (0, &[1, 2, 3, 4]),
    (1, &[2, 3, 4]),
    (2, &[1, 3, 4]),
    (3, &[1, 2, 4]),
];
/// The status transitions of Reporter, by index in `STATUSES`.
const REPORTER_TRANSITIONS: &[(usize, &[usize])] = &[(0, &[4]), (1, &[4]), (2, &[4, 3]), (3, &[4])];

/// Inserts the default data into an empty store. Returns `false`, and does nothing, if there are
/// roles already.
pub fn default_data(db: &mut Write<'_>) -> Result<bool, ActionError> {
    if !db.catalogue().roles.is_empty() {
        return Ok(false);
    }
    let [manager, developer, reporter] = default_roles(db)?;
    let statuses = positions(STATUSES).map(|(position, (name, is_closed))| {
        let status = IssueStatus {
            name: (*name).to_owned(),
            position,
            is_closed: *is_closed,
            ..IssueStatus::default()
        };
        issue_statuses::insert(db, &status)
    });
    let statuses: Vec<StatusId> = statuses.collect::<Result<_, _>>()?;
    let trackers = positions(TRACKERS).map(|(position, name)| {
        let tracker = Tracker {
            name: (*name).to_owned(),
            position,
            default_status: statuses[0],
            ..Tracker::default()
        };
        trackers::insert(db, &tracker)
    });
    let trackers: Vec<TrackerId> = trackers.collect::<Result<_, _>>()?;
    for (kind, names) in [
        (EnumerationKind::IssuePriority, PRIORITIES),
        (EnumerationKind::DocumentCategory, CATEGORIES),
        (EnumerationKind::TimeEntryActivity, ACTIVITIES),
    ] {
        for (position, name) in positions(names) {
            let value = Enumeration {
                kind,
                name: (*name).to_owned(),
                position,
                is_default: *name == "Normal",
                active: true,
                ..Enumeration::default()
            };
            enumerations::insert(db, &value)?;
        }
    }
    for tracker in &trackers {
        for from in &statuses {
            let targets = statuses.iter().filter(|to| *to != from);
            insert_transitions(db, *tracker, manager, *from, targets.copied())?;
        }
        for (role, transitions) in [
            (developer, DEVELOPER_TRANSITIONS),
            (reporter, REPORTER_TRANSITIONS),
        ] {
            for (from, to) in transitions {
                insert_transitions(
                    db,
                    *tracker,
                    role,
                    statuses[*from],
                    to.iter().map(|index| statuses[*index]),
                )?;
            }
        }
    }
    Ok(true)
}

fn default_roles(db: &mut Write<'_>) -> Result<[RoleId; 3], ActionError> {
    let anonymous = union(&[ANONYMOUS]);
    let non_member = union(&[ANONYMOUS, NON_MEMBER]);
    let reporter = union(&[ANONYMOUS, NON_MEMBER, REPORTER]);
    let developer = union(&[ANONYMOUS, NON_MEMBER, REPORTER, DEVELOPER]);
    let mut add = |name: &str, position, builtin, permissions, issues_visibility| {
        let role = Role {
            name: name.to_owned(),
            position,
            builtin,
            assignable: builtin.is_none(),
            permissions,
            issues_visibility,
            ..Role::default()
        };
        roles::insert(db, &role)
    };
    let non_member_role = Some(Builtin::NonMember);
    let anonymous_role = Some(Builtin::Anonymous);
    add(
        "Non member",
        0,
        non_member_role,
        non_member,
        IssuesVisibility::Default,
    )?;
    add(
        "Anonymous",
        0,
        anonymous_role,
        anonymous,
        IssuesVisibility::Default,
    )?;
    Ok([
        add(
            "Manager",
            1,
            None,
            PermissionSet::all(),
            IssuesVisibility::All,
        )?,
        add("Developer", 2, None, developer, IssuesVisibility::Default)?,
        add("Reporter", 3, None, reporter, IssuesVisibility::Default)?,
    ])
}

fn union(lists: &[&[Permission]]) -> PermissionSet {
    lists.iter().flat_map(|list| list.iter().copied()).collect()
}

fn insert_transitions(
    db: &mut Write<'_>,
    tracker: TrackerId,
    role: RoleId,
    from: StatusId,
    to: impl Iterator<Item = StatusId>,
) -> Result<(), ActionError> {
    for to in to {
        workflow::insert_transition(
            db,
            tracker,
            role,
            Some(from),
            Transition {
                to,
                author: false,
                assignee: false,
            },
        )?;
    }
    Ok(())
}

fn positions<T>(list: &[T]) -> impl Iterator<Item = (i64, &T)> {
    (1..).zip(list)
}
