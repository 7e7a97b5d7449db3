//! The rules of what a viewer may see, each as one [`Visible`] expression. They are written here and nowhere else.

use super::attachment::ContainerType;
use super::catalogue::Catalogue;
use super::custom_field::{CustomField, Customized};
use super::id_set::IdSet;
use super::ids::{CustomFieldId, PrincipalId, ProjectId, RoleId};
use super::kind::Kind;
use super::permission::Permission;
use super::role::{Builtin, IssuesVisibility, TimeEntriesVisibility, UsersVisibility};
use super::viewer::{Viewer, memberships, with_groups};
use super::visible::Visible;
use std::sync::Arc;

/// The records of one content type that the viewer may see.
pub fn of_kind(viewer: &Viewer, kind: Kind) -> &Visible {
    viewer.visible.kinds[usize::from(kind.code())].get_or_init(|| match kind {
        Kind::Issue => issue_rules(viewer),
        other => in_projects(viewer.projects_with(other.permission()).collect()),
    })
}

/// The issues that the viewer may see (compatibility 5).
pub fn issues(viewer: &Viewer) -> &Visible {
    of_kind(viewer, Kind::Issue)
}

/// The projects that the viewer may see.
pub fn projects(viewer: &Viewer) -> &Visible {
    of_kind(viewer, Kind::Project)
}

/// The notes that the viewer may read, of issues that the viewer may see: the facts are the note's own (its project, whether
/// the note is private, who wrote the note). Private ones need `view_private_notes`, or to be one's own (compatibility 6.2).
pub fn notes(viewer: &Viewer) -> &Visible {
    viewer.visible.notes.get_or_init(|| {
        let mut parts = vec![Visible::NotPrivate, in_projects(viewer.projects_with(Permission::ViewPrivateNotes).collect())];
        parts.extend(viewer.user.map(Visible::WrittenBy));
        Visible::Any(parts)
    })
}

/// The projects whose files the viewer may see, among those that the viewer may see. The files of every other record are for
/// everybody who may see the record.
pub fn project_files(viewer: &Viewer) -> &Visible {
    viewer.visible.project_files.get_or_init(|| {
        let permission = ContainerType::Record(Kind::Project).view_permission();
        in_projects(permission.into_iter().flat_map(|permission| viewer.projects_with(permission)).collect())
    })
}

/// The time entries that the viewer may see, and that sums of hours may tell of (compatibility 5): all of a project, or only those of
/// the viewer. Whose time it is, is the author among the facts. The issue on which the time was spent has no part in it: where
/// the viewer may not see that, the entry is shown without it.
pub fn time_entries(viewer: &Viewer) -> &Visible {
    viewer.visible.time_entries.get_or_init(|| {
        let seen = |visibility: TimeEntriesVisibility| -> Visible {
            let shown = viewer.projects().filter(|(_, rights)| rights.permissions.contains(Permission::ViewTimeEntries));
            in_projects(shown.filter(|(_, rights)| rights.time_entries == visibility).map(|(id, _)| id).collect())
        };
        let own = Visible::Any(viewer.user.map(Visible::WrittenBy).into_iter().collect());
        or(vec![seen(TimeEntriesVisibility::All), and(seen(TimeEntriesVisibility::Own), own)])
    })
}

/// The custom fields whose values the search finds for the viewer, each with the records on which: the fact that counts is the
/// project (docs/search.md section 5; compatibility 5).
pub fn searchable_fields(catalogue: &Catalogue, viewer: &Viewer) -> Vec<(CustomFieldId, Visible)> {
    let searchable = catalogue.custom_fields.iter().filter(|field| field.searchable);
    let found = searchable.map(|field| {
        let everywhere = field.is_for_all || field.customized != Customized::Issue;
        let shown = field.visible || viewer.admin;
        let visible = match (everywhere, shown) {
            (true, true) => Visible::Everything,
            _ => {
                let here = |project: &ProjectId| everywhere || field.projects.contains(project);
                let seen = viewer.projects().map(|(id, _)| id).filter(|id| here(id) && field.is_visible_to(viewer, *id));
                in_projects(seen.collect())
            }
        };
        (field.id, visible)
    });
    found.filter(|(_, visible)| *visible != Visible::Nothing).collect()
}

/// Whether the viewer may know of this user or group (compatibility 5, `users_visibility`): by a role that shows all, or as a member of a
/// project that the viewer can see. Somebody who is a member of nothing has the built-in role.
pub fn can_see_principal(viewer: &Viewer, catalogue: &Catalogue, principal: PrincipalId) -> bool {
    let shows_all = |roles: &[RoleId]| {
        let mut roles = roles.iter().filter_map(|id| catalogue.role(*id));
        roles.any(|role| role.users_visibility == UsersVisibility::All)
    };
    let mut own = viewer.projects().filter(|(_, rights)| rights.member).peekable();
    let builtin = if viewer.user.is_some() { Builtin::NonMember } else { Builtin::Anonymous };
    let all = match own.peek() {
        Some(_) => own.any(|(_, rights)| shows_all(&rights.roles)),
        None => catalogue.builtin_role(builtin).is_some_and(|role| role.users_visibility == UsersVisibility::All),
    };
    // Through a group and from the project above, one is a member too.
    let is_member =
        || memberships(catalogue, &with_groups(catalogue, principal)).into_keys().any(|project| viewer.rights(project).is_some());
    viewer.admin || all || viewer.principals.contains(&principal) || is_member()
}

impl CustomField {
    /// Whether the viewer may see its values on records of the project (compatibility 5).
    pub fn is_visible_to(&self, viewer: &Viewer, project: ProjectId) -> bool {
        let by_role = || viewer.rights(project).is_some_and(|rights| rights.roles.iter().any(|role| self.roles.contains(role)));
        self.visible || viewer.admin || by_role()
    }

    /// Whether the viewer may see its values on records of any project at all.
    pub fn is_visible_somewhere(&self, viewer: &Viewer) -> bool {
        let by_role = || viewer.projects().any(|(_, rights)| rights.roles.iter().any(|role| self.roles.contains(role)));
        self.visible || viewer.admin || by_role()
    }
}

fn in_projects(projects: IdSet) -> Visible {
    if projects.is_empty() { Visible::Nothing } else { Visible::InProjects(Arc::new(projects)) }
}

fn issue_rules(viewer: &Viewer) -> Visible {
    let shown = || viewer.projects().filter(|(_, rights)| rights.permissions.contains(Permission::ViewIssues));
    let own = match viewer.user {
        Some(user) => vec![Visible::WrittenBy(user), Visible::AssignedTo(viewer.principals.clone())],
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
    for visibility in [IssuesVisibility::All, IssuesVisibility::Default, IssuesVisibility::Own] {
        let of_all = shown().filter(|(_, rights)| rights.issues == Some(visibility)).map(|(id, _)| id);
        parts.push(seen(in_projects(of_all.collect()), visibility));
        // The same trackers in several projects are one condition.
        let mut limited: Vec<(&Arc<IdSet>, Vec<ProjectId>)> = Vec::new();
        for (id, rights) in shown() {
            for (_, trackers) in rights.tracker_issues.iter().filter(|(shown, _)| *shown == visibility) {
                match limited.iter_mut().find(|(known, _)| *known == trackers) {
                    Some((_, projects)) => projects.push(id),
                    None => limited.push((trackers, vec![id])),
                }
            }
        }
        // The rights are kept in no order, and what asks for the same must be the same.
        limited.sort_unstable_by_key(|(trackers, _)| trackers.as_slice());
        for (trackers, projects) in limited {
            let of_trackers = and(in_projects(projects.into_iter().collect()), Visible::InTrackers(Arc::clone(trackers)));
            parts.push(seen(of_trackers, visibility));
        }
    }
    or(parts)
}

fn or(parts: Vec<Visible>) -> Visible {
    let mut parts: Vec<Visible> = parts.into_iter().filter(|part| *part != Visible::Nothing).collect();
    match parts.len() {
        0 => Visible::Nothing,
        1 => parts.remove(0),
        _ => Visible::Any(parts),
    }
}

fn and(projects: Visible, rule: Visible) -> Visible {
    if projects == Visible::Nothing || rule == Visible::Any(Vec::new()) { Visible::Nothing } else { Visible::All(vec![projects, rule]) }
}
