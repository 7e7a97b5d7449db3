//! The visibility rules, each as one [`Visible`] expression. This is the only place where they are
//! written.

use super::permission::Permission;
use super::role::{Builtin, IssuesVisibility, TimeEntriesVisibility, UsersVisibility};
use super::viewer::Viewer;
use super::visible::Visible;
use crate::accounts::user::{BuiltinPrincipal, UserStatus};
use crate::administration::custom_field::{CustomField, Customized};
use crate::catalogue::Catalogue;
use crate::content::attachment::ContainerType;
use crate::ids::{CustomFieldId, PrincipalId, ProjectId, RoleId};
use crate::index_feed::kind::Kind;
use crate::projects::version::Version;
use crate::values::id_set::IdSet;
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the records of a content type that the viewer may see.
pub fn of_kind(viewer: &Viewer, kind: Kind) -> &Visible {
    viewer.visible.kinds[usize::from(kind.code())].get_or_init(|| match kind {
        Kind::Issue => issue_rules(viewer),
        kind => in_projects(viewer.projects_with(kind.permission()).collect()),
    })
}

/// Returns the issues that the viewer may see (compatibility 5).
pub fn issues(viewer: &Viewer) -> &Visible {
    of_kind(viewer, Kind::Issue)
}

/// Returns the projects that the viewer may see.
pub fn projects(viewer: &Viewer) -> &Visible {
    of_kind(viewer, Kind::Project)
}

/// Returns the notes that the viewer may read, among those of visible issues. The attributes are
/// those of the note: its project, its author, and whether it is private. Private notes need
/// `view_private_notes`, except the viewer's own (compatibility 6.2).
pub fn notes(viewer: &Viewer) -> &Visible {
    viewer.visible.notes.get_or_init(|| {
        let mut parts = vec![
            Visible::NotPrivate,
            in_projects(viewer.projects_with(Permission::ViewPrivateNotes).collect()),
        ];
        parts.extend(viewer.user.map(Visible::WrittenBy));
        Visible::Any(parts)
    })
}

/// Returns the visible projects whose files the viewer may see. Files of other records are visible
/// to everybody who may see the record.
pub fn project_files(viewer: &Viewer) -> &Visible {
    viewer.visible.project_files.get_or_init(|| {
        let permission = ContainerType::Record(Kind::Project).view_permission();
        in_projects(
            permission
                .into_iter()
                .flat_map(|permission| viewer.projects_with(permission))
                .collect(),
        )
    })
}

/// Returns the edits of wiki pages that the viewer may see: those of visible pages, in projects whose
/// page histories the viewer may see.
pub fn wiki_edits(viewer: &Viewer) -> Visible {
    let projects = viewer.projects_with(Permission::ViewWikiEdits).collect();
    of_kind(viewer, Kind::WikiPage).within_projects(Arc::new(projects))
}

/// Returns the time entries that the viewer may see, also as part of sums (compatibility 5): all of
/// a project, or only those of the viewer. The attribute `author` is the user who spent the time.
/// The visibility of the issue does not matter: entries on hidden issues are shown without the
/// issue, and count in the sums of the issues above it and of its version.
pub fn time_entries(viewer: &Viewer) -> &Visible {
    viewer.visible.time_entries.get_or_init(|| {
        let own = Visible::Any(viewer.user.map(Visible::WrittenBy).into_iter().collect());
        or(vec![
            time_entries_with(viewer, TimeEntriesVisibility::All),
            and(time_entries_with(viewer, TimeEntriesVisibility::Own), own),
        ])
    })
}

/// Returns the time entries of the projects in which the viewer sees them so.
fn time_entries_with(viewer: &Viewer, visibility: TimeEntriesVisibility) -> Visible {
    let shown = viewer
        .projects()
        .filter(|(_, rights)| rights.permissions.contains(Permission::ViewTimeEntries));
    in_projects(
        shown
            .filter(|(_, rights)| rights.time_entries == visibility)
            .map(|(id, _)| id)
            .collect(),
    )
}

/// Returns the custom fields that the search may match for the viewer, each with the records on
/// which. Only the attribute `project` matters (docs/search.md section 5; compatibility 5).
pub fn searchable_fields(catalogue: &Catalogue, viewer: &Viewer) -> Vec<(CustomFieldId, Visible)> {
    let searchable = catalogue
        .custom_fields
        .iter()
        .filter(|field| field.searchable);
    let fields = searchable.map(|field| {
        let everywhere = field.is_for_all || field.customized != Customized::Issue;
        let shown = field.visible || viewer.admin;
        let visible = match (everywhere, shown) {
            (true, true) => Visible::Everything,
            _ => {
                let has_field =
                    |project: &ProjectId| everywhere || field.projects.contains(project);
                let seen = viewer
                    .projects()
                    .map(|(id, _)| id)
                    .filter(|id| has_field(id) && field.is_visible_to(viewer, *id));
                in_projects(seen.collect())
            }
        };
        (field.id, visible)
    });
    fields
        .filter(|(_, visible)| *visible != Visible::Nothing)
        .collect()
}

/// Whether the viewer may see this user or group (compatibility 5, `users_visibility`): by a role
/// that shows all users, or because they are members of a visible project. A viewer without
/// memberships has the builtin role.
pub fn can_see_principal(viewer: &Viewer, catalogue: &Catalogue, principal: PrincipalId) -> bool {
    viewer.principals.contains(&principal)
        || members_of(viewer, catalogue).is_none_or(|members| members.contains(principal.0))
}

/// Returns [`members_of_visible_projects`], computed once; `None` for a viewer who sees everybody.
fn members_of<'v>(viewer: &'v Viewer, catalogue: &Catalogue) -> Option<&'v IdSet> {
    let members = viewer.visible.members.get_or_init(|| {
        let sees_all = sees_all_principals(viewer, catalogue);
        (!sees_all).then(|| members_of_visible_projects(viewer, catalogue))
    });
    members.as_ref()
}

fn sees_all_principals(viewer: &Viewer, catalogue: &Catalogue) -> bool {
    let mut memberships_of_viewer = viewer
        .projects()
        .filter(|(_, rights)| rights.member)
        .peekable();
    let builtin = if viewer.user.is_some() {
        Builtin::NonMember
    } else {
        Builtin::Anonymous
    };
    let all = match memberships_of_viewer.peek() {
        Some(_) => {
            memberships_of_viewer.any(|(_, rights)| shows_all_users(catalogue, &rights.roles))
        }
        None => catalogue
            .builtin_role(builtin)
            .is_some_and(|role| role.users_visibility == UsersVisibility::All),
    };
    viewer.admin || all
}

fn shows_all_users(catalogue: &Catalogue, roles: &[RoleId]) -> bool {
    let mut roles = roles.iter().filter_map(|id| catalogue.role(*id));
    roles.any(|role| role.users_visibility == UsersVisibility::All)
}

/// Returns the users and groups whose custom fields the viewer may see: those of
/// [`can_see_principal`], but users who cannot log in for administrators only (compatibility 11.1).
/// The anonymous user, who has no values, is one of them.
pub fn principals(viewer: &Viewer, catalogue: &Catalogue) -> IdSet {
    let active = catalogue
        .users
        .values()
        .filter(|user| viewer.admin || user.status == UserStatus::Active);
    let all = active
        .map(|user| PrincipalId::from(user.id))
        .chain(catalogue.groups.keys().copied());
    let anonymous = catalogue
        .builtin
        .iter()
        .filter(|(_, builtin)| **builtin == BuiltinPrincipal::Anonymous)
        .map(|(id, _)| *id);
    let Some(members) = members_of(viewer, catalogue) else {
        return all.chain(anonymous).map(|id| id.0).collect();
    };
    all.filter(|id| viewer.principals.contains(id) || members.contains(id.0))
        .chain(anonymous)
        .map(|id| id.0)
        .collect()
}

/// Returns the members of the projects that the viewer may see, also inherited ones and those
/// through groups.
fn members_of_visible_projects(viewer: &Viewer, catalogue: &Catalogue) -> IdSet {
    let mut projects: HashSet<ProjectId> = viewer.projects_with(Permission::ViewProject).collect();
    // From the leaves up: the members of a project are also those of the subprojects that inherit
    // them.
    for project in catalogue
        .tree
        .iter()
        .rev()
        .filter_map(|id| catalogue.projects.get(id))
    {
        let parent = project
            .parent
            .filter(|_| project.inherit_members && projects.contains(&project.id));
        projects.extend(parent);
    }
    let direct = catalogue
        .members
        .iter()
        .filter(|member| projects.contains(&member.project))
        .map(|member| member.principal);
    direct
        .flat_map(|member| std::iter::once(member).chain(users_of(catalogue, member)))
        .map(|id| id.0)
        .collect()
}

fn users_of(catalogue: &Catalogue, group: PrincipalId) -> impl Iterator<Item = PrincipalId> {
    catalogue
        .groups
        .get(&group)
        .into_iter()
        .flat_map(|group| &group.users)
        .map(|user| (*user).into())
}

/// Returns the versions by whose fields the viewer may filter: those of projects whose issues the
/// viewer may see. Versions that other projects share do not count (compatibility 6.3).
pub fn versions<'c>(
    viewer: &Viewer,
    catalogue: &'c Catalogue,
) -> impl Iterator<Item = &'c Version> {
    catalogue
        .versions
        .values()
        .filter(|version| viewer.may(Permission::ViewIssues, version.project))
}

impl CustomField {
    /// Whether the viewer may see its values on records of the project (compatibility 5).
    pub fn is_visible_to(&self, viewer: &Viewer, project: ProjectId) -> bool {
        self.visible
            || viewer.admin
            || viewer
                .rights(project)
                .is_some_and(|rights| rights.roles.iter().any(|role| self.roles.contains(role)))
    }

    /// Whether the viewer may see its values on records of any project, also an archived one:
    /// archiving a project must not remove a filter, which would make a list longer. Roles do not
    /// apply to records without a project.
    pub fn is_visible_somewhere(&self, viewer: &Viewer) -> bool {
        self.visible
            || viewer.admin
            || self.customized.has_roles()
                && viewer.roles.iter().any(|role| self.roles.contains(role))
    }
}

fn in_projects(projects: IdSet) -> Visible {
    if projects.is_empty() {
        Visible::Nothing
    } else {
        Visible::InProjects(Arc::new(projects))
    }
}

fn issue_rules(viewer: &Viewer) -> Visible {
    let shown = || {
        viewer
            .projects()
            .filter(|(_, rights)| rights.permissions.contains(Permission::ViewIssues))
    };
    let own = match viewer.user {
        Some(user) => vec![
            Visible::WrittenBy(user),
            Visible::AssignedTo(viewer.principals.clone()),
        ],
        None => Vec::new(),
    };
    let mut public_or_own = vec![Visible::NotPrivate];
    public_or_own.extend(own.clone());
    let seen = |projects: Visible, visibility: IssuesVisibility| match visibility {
        IssuesVisibility::All => projects,
        IssuesVisibility::Default => and(projects, Visible::Any(public_or_own.clone())),
        IssuesVisibility::Own => and(projects, Visible::Any(own.clone())),
    };
    let mut parts: Vec<Visible> = Vec::new();
    for visibility in [
        IssuesVisibility::All,
        IssuesVisibility::Default,
        IssuesVisibility::Own,
    ] {
        let of_all = shown()
            .filter(|(_, rights)| rights.issues == Some(visibility))
            .map(|(id, _)| id);
        parts.push(seen(in_projects(of_all.collect()), visibility));
        // The same trackers in several projects are one condition.
        let mut limited: Vec<(&Arc<IdSet>, Vec<ProjectId>)> = Vec::new();
        for (id, rights) in shown() {
            for (_, trackers) in rights
                .tracker_issues
                .iter()
                .filter(|(shown, _)| *shown == visibility)
            {
                match limited.iter_mut().find(|(same, _)| *same == trackers) {
                    Some((_, projects)) => projects.push(id),
                    None => limited.push((trackers, vec![id])),
                }
            }
        }
        // The rights are in no particular order, but equal conditions must be equal values.
        limited.sort_unstable_by_key(|(trackers, _)| trackers.as_slice());
        for (trackers, projects) in limited {
            let of_trackers = and(
                in_projects(projects.into_iter().collect()),
                Visible::InTrackers(Arc::clone(trackers)),
            );
            parts.push(seen(of_trackers, visibility));
        }
    }
    or(parts)
}

fn or(parts: Vec<Visible>) -> Visible {
    let mut parts: Vec<Visible> = parts
        .into_iter()
        .filter(|part| *part != Visible::Nothing)
        .collect();
    match parts.len() {
        0 => Visible::Nothing,
        1 => parts.remove(0),
        _ => Visible::Any(parts),
    }
}

fn and(projects: Visible, rule: Visible) -> Visible {
    if projects == Visible::Nothing || rule == Visible::Any(Vec::new()) {
        Visible::Nothing
    } else {
        Visible::All(vec![projects, rule])
    }
}
