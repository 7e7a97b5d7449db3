//! Why somebody has a permission in a project, or lacks it.
//!
//! Invariant: a permission is effective here if, and only if, [`Viewer::may`] says so for the user,
//! unless the user cannot log in. Both are computed from the same steps, in `project_roles.rs`.
//!
//! [`Viewer::may`]: super::viewer::Viewer::may

use super::inheritance::memberships_by_project;
use super::permission::Permission;
use super::project_roles::{Exclusion, PermissionSteps, RoleOrigin, RoleSources, exclusion};
use crate::accounts::user::UserStatus;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, TrackerId, UserId};
use crate::projects::module::Module;
use crate::projects::project::Project;
use crate::values::stable_sort::StableSort;
use strum::IntoStaticStr;

/// A permission of somebody in a project, with the rule that decides about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub permission: Permission,
    pub rule: Rule,
    /// The roles that give the permission, even if another rule takes it away.
    pub roles: Vec<RoleGrant>,
    /// The trackers whose issues it is limited to; `None` for all.
    pub trackers: Option<Vec<TrackerId>>,
}

impl Explanation {
    /// Whether the user has the permission.
    pub fn is_effective(&self) -> bool {
        matches!(self.rule, Rule::Administrator | Rule::Role)
    }
}

/// The rule that gives a permission or denies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Rule {
    /// Given: administrators have every permission.
    Administrator,
    /// Given by a role.
    Role,
    /// Denied: the user cannot log in.
    UserNotActive,
    /// Denied: the project is archived.
    ProjectArchived,
    /// Denied: the project is private, and the user not a member.
    ProjectPrivate,
    /// Denied: no role of the user gives it.
    NoRole,
    /// Denied: the module that it needs is off.
    ModuleDisabled(Module),
    /// Denied: the project is closed, and it changes something.
    ProjectClosed,
}

impl Rule {
    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A role that somebody has in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleGrant {
    pub role: RoleId,
    pub source: GrantSource,
    /// The project above from which the membership is inherited.
    pub inherited_from: Option<ProjectId>,
}

/// Why somebody has a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GrantSource {
    /// They are a member.
    Member,
    /// A group of theirs is a member.
    Group(PrincipalId),
    /// They are logged in, and not a member of the public project.
    NonMember,
    /// They are not logged in.
    Anonymous,
}

impl GrantSource {
    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Explains every permission of a user in a project; `None` for anonymous.
pub fn explain(catalogue: &Catalogue, user: Option<UserId>, project: &Project) -> Vec<Explanation> {
    let record = user.and_then(|id| catalogue.users.get(&id));
    let admin = record.is_some_and(|user| user.admin);
    let is_active = record.is_none_or(|user| user.status == UserStatus::Active);
    let sources = RoleSources::new(catalogue, user);
    let project_roles = sources.roles_in(project);
    let exclusion = exclusion(project, &project_roles, admin);
    let steps = PermissionSteps::new(project, &project_roles, (user.is_some(), admin));
    let grants = grants(catalogue, user, project, &sources);
    let tracker_limits = if admin {
        Vec::new()
    } else {
        project_roles.tracker_limits()
    };
    let rule = |permission: Permission| {
        if !is_active {
            return Rule::UserNotActive;
        }
        match exclusion {
            Some(Exclusion::Archived) => return Rule::ProjectArchived,
            Some(Exclusion::Private) => return Rule::ProjectPrivate,
            None => {}
        }
        if !steps.granted.contains(permission) {
            Rule::NoRole
        } else if let Some(module) = permission.module()
            && !steps.in_modules.contains(permission)
        {
            Rule::ModuleDisabled(module)
        } else if !steps.in_status.contains(permission) {
            Rule::ProjectClosed
        } else if admin {
            Rule::Administrator
        } else {
            Rule::Role
        }
    };
    let explanation = |permission| {
        let gives = |id: RoleId| {
            catalogue
                .role(id)
                .is_some_and(|role| role.effective_permissions().contains(permission))
        };
        let limit = tracker_limits
            .iter()
            .find(|(limited, _)| *limited == permission);
        Explanation {
            permission,
            rule: rule(permission),
            roles: grants
                .iter()
                .filter(|grant| gives(grant.role) && steps.granted.contains(permission))
                .copied()
                .collect(),
            trackers: limit.map(|(_, trackers)| {
                let ids = trackers.as_slice().iter();
                ids.copied().map(TrackerId).collect()
            }),
        }
    };
    Permission::all().map(explanation).collect()
}

/// Returns the roles of a user in the project, each with where it comes from. A role that comes from
/// several memberships has several grants.
pub fn grants_in(catalogue: &Catalogue, user: Option<UserId>, project: &Project) -> Vec<RoleGrant> {
    grants(catalogue, user, project, &RoleSources::new(catalogue, user))
}

fn grants(
    catalogue: &Catalogue,
    user: Option<UserId>,
    project: &Project,
    sources: &RoleSources<'_>,
) -> Vec<RoleGrant> {
    let project_roles = sources.roles_in(project);
    let builtin = match user {
        Some(_) => GrantSource::NonMember,
        None => GrantSource::Anonymous,
    };
    let of_members = |principals: &[PrincipalId]| {
        let mut by_project = memberships_by_project(catalogue, principals);
        let mut roles = by_project.remove(&project.id).unwrap_or_default();
        roles.stable_sort_by_key(|role| (role.role, role.member, role.project));
        roles
            .into_iter()
            .filter(|role| catalogue.role(role.role).is_some())
            .collect::<Vec<_>>()
    };
    let inherited = |id: ProjectId| (id != project.id).then_some(id);
    match project_roles.origin {
        RoleOrigin::BuiltinRole => project_roles
            .roles
            .iter()
            .map(|role| RoleGrant {
                role: role.id,
                source: builtin,
                inherited_from: None,
            })
            .collect(),
        RoleOrigin::BuiltinGroup => {
            let group: Vec<PrincipalId> = sources.builtin_group.into_iter().collect();
            let roles = of_members(&group).into_iter();
            roles
                .map(|role| RoleGrant {
                    role: role.role,
                    source: builtin,
                    inherited_from: inherited(role.project),
                })
                .collect()
        }
        RoleOrigin::Membership => {
            let roles = of_members(&sources.principals).into_iter();
            roles
                .map(|role| RoleGrant {
                    role: role.role,
                    source: if Some(role.member) == user.map(PrincipalId::from) {
                        GrantSource::Member
                    } else {
                        GrantSource::Group(role.member)
                    },
                    inherited_from: inherited(role.project),
                })
                .collect()
        }
    }
}
