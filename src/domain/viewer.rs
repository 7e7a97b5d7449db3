//! Who asks, and what that person may do in which project.

use super::catalogue::Catalogue;
use super::id_set::IdSet;
use super::ids::{PrincipalId, ProjectId, RoleId, TrackerId, UserId};
use super::permission::{Permission, PermissionSet, Requirement};
use super::project::{Project, ProjectStatus};
use super::role::{Builtin, IssuesVisibility, Role, TimeEntriesVisibility};
use super::user::BuiltinPrincipal;
use super::visible::VisibleCache;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What a viewer may do in one project that the viewer can see.
#[derive(Clone, Debug)]
pub struct Rights {
    /// The roles that apply, inherited ones and the built-in one included. Empty for an administrator without membership.
    pub roles: Vec<RoleId>,
    /// What holds, after the modules and the state of the project.
    pub permissions: PermissionSet,
    /// Which issues of every tracker are seen: the widest of the roles that show them; `None` where no role does.
    pub issues: Option<IssuesVisibility>,
    /// Which issues of some trackers alone are seen besides: each role that shows more of these than is seen of all.
    pub tracker_issues: Vec<(IssuesVisibility, Arc<IdSet>)>,
    /// Which time entries are seen: the widest of the roles that show time entries at all.
    pub time_entries: TimeEntriesVisibility,
    /// Whether the viewer is a member (directly, through a group, or inherited); nobody is one through the groups of everybody.
    pub member: bool,
    /// The permissions that no role gives for issues of every tracker, with the trackers for which one does.
    tracker_limits: Vec<(Permission, IdSet)>,
}

impl Rights {
    /// Whether the permission holds for issues of the tracker.
    pub fn allows(&self, permission: Permission, tracker: TrackerId) -> bool {
        let mut tracker_limits = self.tracker_limits.iter();
        self.permissions.contains(permission)
            && tracker_limits.all(|(tracker_limits, trackers)| *tracker_limits != permission || trackers.contains(tracker))
    }
}

/// Somebody who asks.
#[derive(Debug)]
pub struct Viewer {
    /// Who it is; `None` for somebody who is not logged in.
    pub user: Option<UserId>,
    /// Whether the viewer is an administrator.
    pub admin: bool,
    /// The viewer and the viewer's groups: the assignees of the viewer's issues.
    pub principals: Vec<PrincipalId>,
    /// What the viewer's roles give anywhere, the built-in one included.
    any_project: PermissionSet,
    /// The version of the catalogue from which this was made.
    pub version: i64,
    rights: HashMap<ProjectId, Rights>,
    member_project_ids: OnceLock<Arc<[i64]>>,
    pub(super) visible: VisibleCache,
}

impl Viewer {
    /// What `user` (`None`: somebody who is not logged in) may do, by the rules of compatibility 5.
    pub fn new(catalogue: &Catalogue, user: Option<UserId>) -> Viewer {
        let admin = user.and_then(|id| catalogue.users.get(&id)).is_some_and(|user| user.admin);
        let principals = user.map(|user| with_groups(catalogue, user.into())).unwrap_or_default();
        let (builtin, group) = match user {
            Some(_) => (Builtin::NonMember, BuiltinPrincipal::NonMemberGroup),
            None => (Builtin::Anonymous, BuiltinPrincipal::AnonymousGroup),
        };
        let group = catalogue.builtin_principal(group);
        let builtin_group_roles = group.map(|group| memberships(catalogue, &[group])).unwrap_or_default();
        let memberships = memberships(catalogue, &principals);
        let roles_in = |given: &HashMap<ProjectId, Vec<RoleId>>, project: &Project| {
            let ids = given.get(&project.id).into_iter().flatten();
            ids.filter_map(|id| catalogue.role(*id)).collect::<Vec<&Role>>()
        };
        let (mut rights, mut any_project) = (HashMap::new(), PermissionSet::NONE);
        for project in catalogue.projects.values() {
            let mut given = ProjectRoles { roles: roles_in(&memberships, project), member: true };
            if given.roles.is_empty() && project.is_public {
                given = ProjectRoles { roles: roles_in(&builtin_group_roles, project), member: false };
            }
            if given.roles.is_empty() {
                let roles = catalogue.builtin_role(builtin).filter(|_| project.is_public).into_iter().collect();
                given = ProjectRoles { roles, member: false };
            }
            any_project = any_project.union(given.permissions(user.is_some()));
            if let Some(found) = rights_in(project, user.is_some(), admin, &given) {
                rights.insert(project.id, found);
            }
        }
        let builtin = catalogue.builtin_role(builtin).map_or(PermissionSet::NONE, Role::effective_permissions);
        let any_project = any_project.union(builtin);
        Viewer {
            user,
            admin,
            principals,
            any_project,
            version: catalogue.version,
            rights,
            member_project_ids: OnceLock::new(),
            visible: VisibleCache::default(),
        }
    }

    /// In whose name the viewer writes: the viewer's own, or that of the anonymous user, which only a Redmine brings along; `None` where
    /// nobody can be named.
    pub fn author_id(&self, catalogue: &Catalogue) -> Option<UserId> {
        let anonymous = || catalogue.builtin_principal(BuiltinPrincipal::Anonymous).map(|principal| UserId(principal.0));
        self.user.or_else(anonymous)
    }

    /// What the viewer may do in a project; `None` when the viewer cannot see it at all.
    pub fn rights(&self, project: ProjectId) -> Option<&Rights> {
        self.rights.get(&project)
    }

    /// Whether the viewer has the permission in the project.
    pub fn may(&self, permission: Permission, project: ProjectId) -> bool {
        self.rights.get(&project).is_some_and(|rights| rights.permissions.contains(permission))
    }

    /// Whether the viewer has the permission for issues of the tracker in the project: a role can be limited to some trackers.
    pub fn may_on(&self, permission: Permission, project: ProjectId, tracker: TrackerId) -> bool {
        self.rights.get(&project).is_some_and(|rights| rights.allows(permission, tracker))
    }

    /// Whether any role of the viewer gives the permission, the built-in one included, be there a project to use it in or not;
    /// an administrator has every one.
    pub fn may_somewhere(&self, permission: Permission) -> bool {
        self.admin || self.any_project.contains(permission)
    }

    /// The projects in which the viewer has the permission.
    pub fn projects_with(&self, permission: Permission) -> impl Iterator<Item = ProjectId> {
        self.rights.iter().filter(move |(_, rights)| rights.permissions.contains(permission)).map(|(id, _)| *id)
    }

    /// The projects of which the viewer is a member.
    pub fn member_projects(&self) -> impl Iterator<Item = ProjectId> {
        self.rights.iter().filter(|(_, rights)| rights.member).map(|(id, _)| *id)
    }

    /// The same as a list that is made once.
    pub fn member_project_ids(&self) -> &Arc<[i64]> {
        self.member_project_ids.get_or_init(|| self.member_projects().map(|id| id.0).collect())
    }

    /// Every project that the viewer can see, with the rights there.
    pub fn projects(&self) -> impl Iterator<Item = (ProjectId, &Rights)> {
        self.rights.iter().map(|(id, rights)| (*id, rights))
    }
}

/// The user and the user's groups; a group alone.
pub fn with_groups(catalogue: &Catalogue, principal: PrincipalId) -> Vec<PrincipalId> {
    let groups = catalogue.groups.values().filter(|group| group.users.contains(&UserId(principal.0)));
    let mut principals: Vec<PrincipalId> = std::iter::once(principal).chain(groups.map(|group| group.id)).collect();
    principals[1..].sort_unstable();
    principals
}

/// The roles that these principals have by membership, by project: directly and inherited from the project above.
pub fn memberships(catalogue: &Catalogue, principals: &[PrincipalId]) -> HashMap<ProjectId, Vec<RoleId>> {
    let mut roles: HashMap<ProjectId, Vec<RoleId>> = HashMap::new();
    for member in catalogue.members.iter().filter(|member| principals.contains(&member.principal)) {
        roles.entry(member.project).or_default().extend(&member.roles);
    }
    for id in &catalogue.tree {
        let Some(project) = catalogue.projects.get(id) else { continue };
        if let (true, Some(parent)) = (project.inherit_members, project.parent) {
            let inherited = roles.get(&parent).cloned().unwrap_or_default();
            if !inherited.is_empty() {
                roles.entry(*id).or_default().extend(inherited);
            }
        }
    }
    for list in roles.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    roles
}

/// The roles that apply in a project.
struct ProjectRoles<'c> {
    roles: Vec<&'c Role>,
    /// Whether they come from a membership of the viewer's, rather than from what everybody has there.
    member: bool,
}

impl ProjectRoles<'_> {
    /// What they give. A role may be given to everybody who is not logged in, but not what only somebody can do.
    fn permissions(&self, logged_in: bool) -> PermissionSet {
        let sum = self.roles.iter().fold(PermissionSet::NONE, |sum, role| sum.union(role.effective_permissions()));
        let anyones = |permission: Permission| matches!(permission.requirement(), Requirement::Public | Requirement::None);
        if logged_in { sum } else { sum.intersection(PermissionSet::matching(anyones)) }
    }

    /// Which issues of every tracker they show, and which of some trackers besides.
    fn issues(&self, logged_in: bool) -> (Option<IssuesVisibility>, Vec<(IssuesVisibility, Arc<IdSet>)>) {
        let widest = if logged_in { IssuesVisibility::All } else { IssuesVisibility::Default };
        let showing = || self.roles.iter().filter(|role| role.effective_permissions().contains(Permission::ViewIssues));
        let shown = |role: &Role| role.issues_visibility().min(widest);
        let of_all = showing().filter(|role| !role.trackers.contains_key(&Permission::ViewIssues)).map(|role| shown(role)).max();
        let tracker_limits = showing().filter_map(|role| Some((shown(role), Arc::clone(role.trackers.get(&Permission::ViewIssues)?))));
        (of_all, tracker_limits.filter(|(visibility, _)| Some(*visibility) > of_all).collect())
    }

    /// What no role gives for every tracker, with the trackers for which one does.
    fn tracker_limits(&self) -> Vec<(Permission, IdSet)> {
        let mut permissions: Vec<Permission> = self.roles.iter().flat_map(|role| role.trackers.keys().copied()).collect();
        permissions.sort_unstable();
        permissions.dedup();
        let of = |permission: Permission| {
            let giving = self.roles.iter().filter(|role| role.effective_permissions().contains(permission));
            let trackers: Option<Vec<_>> = giving.map(|role| role.trackers.get(&permission)).collect();
            let trackers = trackers?.into_iter().flat_map(|trackers| trackers.as_slice().iter().copied());
            Some((permission, trackers.collect()))
        };
        permissions.into_iter().filter_map(of).collect()
    }
}

/// What holds in one project; `None` when it cannot be seen. Roles that the groups of everybody have in a public project take
/// the place of the built-in role there.
fn rights_in(project: &Project, logged_in: bool, admin: bool, given: &ProjectRoles<'_>) -> Option<Rights> {
    if project.status == ProjectStatus::Archived || given.roles.is_empty() && !project.is_public && !admin {
        return None;
    }
    let mut permissions = if admin { PermissionSet::all() } else { given.permissions(logged_in) };
    permissions = permissions.intersection(PermissionSet::in_modules(project.modules));
    if project.status == ProjectStatus::Closed {
        permissions = permissions.intersection(PermissionSet::read_only());
    }
    let (issues, tracker_issues) = if admin { (Some(IssuesVisibility::All), Vec::new()) } else { given.issues(logged_in) };
    let shows_time = given.roles.iter().filter(|role| role.effective_permissions().contains(Permission::ViewTimeEntries));
    let time_entries = match admin {
        true => TimeEntriesVisibility::All,
        false => shows_time.map(|role| role.time_entries_visibility).max().unwrap_or(TimeEntriesVisibility::Own),
    };
    let roles = given.roles.iter().map(|role| role.id).collect();
    let tracker_limits = if admin { Vec::new() } else { given.tracker_limits() };
    Some(Rights { roles, permissions, issues, tracker_issues, time_entries, member: given.member, tracker_limits })
}
