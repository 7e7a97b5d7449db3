//! The user of a request and their rights in each project.

use super::permission::{Permission, PermissionSet};
use super::project_roles::{PermissionSteps, ProjectRoles, RoleOrigin, RoleSources, exclusion};
use super::role::{IssuesVisibility, Role, TimeEntriesVisibility};
use super::visible::VisibleCache;
use crate::accounts::oauth::Scopes;
use crate::accounts::user::BuiltinPrincipal;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, TrackerId, UserId};
use crate::projects::project::Project;
use crate::values::id_set::IdSet;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// The rights of a viewer in a project that they can see.
#[derive(Clone, Debug)]
pub struct Rights {
    /// The roles that apply, including inherited and builtin ones. Empty for an administrator who
    /// is not a member.
    pub roles: Vec<RoleId>,
    /// The permissions of the roles, or all permissions of an administrator, as far as the modules
    /// and the status of the project allow them.
    pub permissions: PermissionSet,
    /// The widest visibility of issues that a role gives for all trackers; `None` if no role does.
    pub issues: Option<IssuesVisibility>,
    /// Wider visibilities that roles give for issues of some trackers.
    pub tracker_issues: Vec<(IssuesVisibility, Arc<IdSet>)>,
    /// The widest visibility of time entries among the roles that may view time entries.
    pub time_entries: TimeEntriesVisibility,
    /// Whether the viewer is a member: directly, through a group, or inherited. Builtin groups do
    /// not count.
    pub member: bool,
    /// The permissions that no role gives for all trackers, with the trackers for which some role
    /// does.
    tracker_limits: Vec<(Permission, IdSet)>,
}

impl Rights {
    /// Whether they include the permission for issues of the tracker.
    pub fn allows(&self, permission: Permission, tracker: TrackerId) -> bool {
        let mut limits = self.tracker_limits.iter();
        self.permissions.contains(permission)
            && limits
                .all(|(limited, trackers)| *limited != permission || trackers.contains(tracker))
    }
}

/// The user of a request, possibly anonymous, with their rights.
#[derive(Debug)]
pub struct Viewer {
    /// The user; `None` for anonymous.
    pub user: Option<UserId>,
    /// Whether the viewer is an administrator. With an access token only if its scopes include
    /// `admin`.
    pub admin: bool,
    /// The scopes of the access token of the request; `None` if the user authenticated by other
    /// means. All rights below are limited to them.
    pub scopes: Option<Scopes>,
    /// The viewer and the viewer's groups, which can be assignees of the viewer's issues.
    pub principals: Vec<PrincipalId>,
    /// The permissions that the viewer has in any project, including those of the builtin role.
    any_project: PermissionSet,
    /// The roles that the viewer has in any project, also in archived ones; in ascending order.
    pub roles: Vec<RoleId>,
    /// The version of the catalogue that the rights were computed from.
    pub version: i64,
    rights: HashMap<ProjectId, Rights>,
    member_project_ids: OnceLock<Arc<[i64]>>,
    pub(crate) visible: VisibleCache,
}

impl Viewer {
    /// Computes the rights of `user`, `None` for anonymous (compatibility 5).
    pub fn new(catalogue: &Catalogue, user: Option<UserId>) -> Viewer {
        Viewer::with_scopes(catalogue, user, None)
    }

    /// Computes the rights of a request with an access token: what both the user and the scopes
    /// allow (compatibility 4.1).
    pub fn with_scopes(
        catalogue: &Catalogue,
        user: Option<UserId>,
        scopes: Option<Scopes>,
    ) -> Viewer {
        let is_admin = user
            .and_then(|id| catalogue.users.get(&id))
            .is_some_and(|user| user.admin);
        let admin = is_admin && scopes.is_none_or(|scopes| scopes.admin);
        let limit = scopes.map_or(PermissionSet::all(), |scopes| {
            scopes.effective_permissions(is_admin)
        });
        let sources = RoleSources::new(catalogue, user);
        let mut rights = HashMap::new();
        let mut any_project = PermissionSet::NONE;
        let mut roles = BTreeSet::new();
        for project in catalogue.projects.values() {
            let project_roles = sources.roles_in(project);
            any_project = any_project.union(project_roles.permissions(user.is_some()));
            roles.extend(project_roles.roles.iter().map(|role| role.id));
            if let Some(project_rights) = rights_in(project, user.is_some(), admin, &project_roles)
            {
                let permissions = project_rights.permissions.intersection(limit);
                rights.insert(
                    project.id,
                    Rights {
                        permissions,
                        ..project_rights
                    },
                );
            }
        }
        let builtin = sources
            .builtin_role
            .map_or(PermissionSet::NONE, Role::effective_permissions);
        let any_project = any_project.union(builtin).intersection(limit);
        Viewer {
            user,
            admin,
            scopes,
            principals: sources.principals,
            any_project,
            roles: roles.into_iter().collect(),
            version: catalogue.version,
            rights,
            member_project_ids: OnceLock::new(),
            visible: VisibleCache::default(),
        }
    }

    /// Computes the rights of the same viewer in another version of the catalogue.
    #[must_use]
    pub fn renewed(&self, catalogue: &Catalogue) -> Viewer {
        Viewer::with_scopes(catalogue, self.user, self.scopes)
    }

    /// Whether an application acts for the user, with an access token. It may neither see nor
    /// change what protects the account.
    pub fn is_delegated(&self) -> bool {
        self.scopes.is_some()
    }

    /// Whether the scopes of the access token, if there is one, include the permission. The user
    /// may lack it nevertheless.
    pub fn has_scope(&self, permission: Permission) -> bool {
        self.admin
            || self
                .scopes
                .is_none_or(|scopes| scopes.permissions.contains(permission))
    }

    /// Whether the scopes of the access token, if there is one, include any permission that changes
    /// something.
    pub fn has_writing_scope(&self) -> bool {
        self.admin
            || self.scopes.is_none_or(|scopes| {
                scopes
                    .permissions
                    .iter()
                    .any(|permission| !permission.is_read_only())
            })
    }

    /// Returns the author of what the viewer writes: the viewer or the anonymous user, which exists
    /// only after an import from Redmine or the deletion of a user.
    pub fn author_id(&self, catalogue: &Catalogue) -> Option<UserId> {
        self.user.or_else(|| {
            catalogue
                .builtin_principal(BuiltinPrincipal::Anonymous)
                .map(|principal| UserId(principal.0))
        })
    }

    /// Returns the rights in a project; `None` if the viewer has none.
    pub fn rights(&self, project: ProjectId) -> Option<&Rights> {
        self.rights.get(&project)
    }

    /// Whether the viewer may see the project itself: its name, attributes and place in the tree.
    /// An access token may have rights in it without that.
    pub fn sees(&self, project: ProjectId) -> bool {
        self.may(Permission::ViewProject, project)
    }

    /// Whether the viewer has the permission in the project.
    pub fn may(&self, permission: Permission, project: ProjectId) -> bool {
        self.rights
            .get(&project)
            .is_some_and(|rights| rights.permissions.contains(permission))
    }

    /// Whether the viewer has the permission for issues of the tracker in the project. Roles can be
    /// limited to some trackers.
    pub fn may_on(&self, permission: Permission, project: ProjectId, tracker: TrackerId) -> bool {
        self.rights
            .get(&project)
            .is_some_and(|rights| rights.allows(permission, tracker))
    }

    /// Whether any role of the viewer gives the permission, including the builtin role.
    /// Administrators have all permissions.
    pub fn may_somewhere(&self, permission: Permission) -> bool {
        self.admin || self.any_project.contains(permission)
    }

    /// Returns the projects in which the viewer has the permission.
    pub fn projects_with(&self, permission: Permission) -> impl Iterator<Item = ProjectId> {
        self.rights
            .iter()
            .filter(move |(_, rights)| rights.permissions.contains(permission))
            .map(|(id, _)| *id)
    }

    /// Returns the projects of which the viewer is a member.
    pub fn member_projects(&self) -> impl Iterator<Item = ProjectId> {
        self.rights
            .iter()
            .filter(|(_, rights)| rights.member)
            .map(|(id, _)| *id)
    }

    /// Returns [`Viewer::member_projects`] as a list that is computed once.
    pub fn member_project_ids(&self) -> &Arc<[i64]> {
        self.member_project_ids
            .get_or_init(|| self.member_projects().map(|id| id.0).collect())
    }

    /// Returns the projects that the viewer can see, with the rights in each.
    pub fn projects(&self) -> impl Iterator<Item = (ProjectId, &Rights)> {
        self.rights.iter().map(|(id, rights)| (*id, rights))
    }
}

/// Returns the rights in a project; `None` if the viewer cannot see it.
fn rights_in(
    project: &Project,
    logged_in: bool,
    admin: bool,
    project_roles: &ProjectRoles<'_>,
) -> Option<Rights> {
    if exclusion(project, project_roles, admin).is_some() {
        return None;
    }
    let permissions = PermissionSteps::new(project, project_roles, (logged_in, admin)).effective();
    let (issues, tracker_issues) = if admin {
        (Some(IssuesVisibility::All), Vec::new())
    } else {
        project_roles.issues(logged_in)
    };
    let shows_time = project_roles.roles.iter().filter(|role| {
        role.effective_permissions()
            .contains(Permission::ViewTimeEntries)
    });
    let time_entries = if admin {
        TimeEntriesVisibility::All
    } else {
        shows_time
            .map(|role| role.time_entries_visibility)
            .max()
            .unwrap_or(TimeEntriesVisibility::Own)
    };
    let roles = project_roles.roles.iter().map(|role| role.id).collect();
    let tracker_limits = if admin {
        Vec::new()
    } else {
        project_roles.tracker_limits()
    };
    Some(Rights {
        roles,
        permissions,
        issues,
        tracker_issues,
        time_entries,
        member: project_roles.origin == RoleOrigin::Membership,
        tracker_limits,
    })
}
