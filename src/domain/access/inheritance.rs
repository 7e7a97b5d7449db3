//! Where the roles of members come from: their own memberships, those of their groups, and the
//! projects above that pass on their members (compatibility 11.7).

use super::member::{Member, MemberRole};
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, UserId};
use std::collections::{BTreeSet, HashMap};

/// A role of a membership, with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantedRole {
    pub role: RoleId,
    /// Whether it is inherited.
    pub inherited: bool,
    /// The position of the role that was given: to the member, or to the group or in the parent
    /// project from which it is inherited.
    pub position: i64,
}

impl GrantedRole {
    /// Creates the role of a membership from one that was given to this or another member.
    pub fn new(member_role: MemberRole, inherited: bool) -> GrantedRole {
        GrantedRole {
            role: member_role.role,
            inherited,
            position: member_role.position,
        }
    }
}

/// Returns the principal, followed by the groups of a user.
pub fn with_groups(catalogue: &Catalogue, principal: PrincipalId) -> Vec<PrincipalId> {
    let groups = catalogue
        .groups
        .values()
        .filter(|group| group.users.contains(&UserId(principal.0)));
    let mut principals: Vec<PrincipalId> = std::iter::once(principal)
        .chain(groups.map(|group| group.id))
        .collect();
    principals[1..].sort_unstable();
    principals
}

/// Returns the project and those above whose members it has, too.
fn sources(catalogue: &Catalogue, project: ProjectId) -> Vec<ProjectId> {
    let mut sources = vec![project];
    for parent in catalogue.ancestors(project) {
        let below = sources.last().and_then(|id| catalogue.projects.get(id));
        if !below.is_some_and(|project| project.inherit_members) {
            break;
        }
        sources.push(parent);
    }
    sources
}

/// Adds to the roles in each project those that it inherits, projects above first.
fn pass_down<R>(
    catalogue: &Catalogue,
    by_project: &mut HashMap<ProjectId, Vec<R>>,
    inherited: impl Fn(&R) -> R,
) {
    for id in &catalogue.tree {
        let project = catalogue.projects.get(id);
        let parent = project
            .filter(|project| project.inherit_members)
            .and_then(|project| by_project.get(&project.parent?));
        if let Some(roles) = parent {
            let roles: Vec<R> = roles.iter().map(&inherited).collect();
            by_project.entry(*id).or_default().extend(roles);
        }
    }
}

/// Returns the roles of these principals by project: of their memberships and inherited from parent
/// projects.
pub fn role_ids_by_project(
    catalogue: &Catalogue,
    principals: &[PrincipalId],
) -> HashMap<ProjectId, Vec<RoleId>> {
    let role_id = |_: &Member, role: &MemberRole| role.role;
    let mut roles = by_project(catalogue, principals, role_id, |role| *role);
    for list in roles.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    roles
}

/// Returns the roles of a user or group by project, with where they come from: own ones, those of
/// groups, and those of parent projects.
pub fn roles_by_project(
    catalogue: &Catalogue,
    principal: PrincipalId,
) -> HashMap<ProjectId, Vec<GrantedRole>> {
    let principals = with_groups(catalogue, principal);
    let granted =
        |member: &Member, role: &MemberRole| GrantedRole::new(*role, member.principal != principal);
    by_project(catalogue, &principals, granted, |role| GrantedRole {
        inherited: true,
        ..*role
    })
}

/// A role in a project, with the membership that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleOfMember {
    pub role: RoleId,
    /// The member: a user, or a group of the user.
    pub member: PrincipalId,
    /// The project of the membership: the same one, or one above that passes on its members.
    pub project: ProjectId,
}

/// Returns the roles of these principals by project, each with the membership that gives it.
pub fn memberships_by_project(
    catalogue: &Catalogue,
    principals: &[PrincipalId],
) -> HashMap<ProjectId, Vec<RoleOfMember>> {
    let of_member = |member: &Member, role: &MemberRole| RoleOfMember {
        role: role.role,
        member: member.principal,
        project: member.project,
    };
    by_project(catalogue, principals, of_member, |role| *role)
}

/// Returns what `role` returns for the memberships of these principals, by project, and for
/// projects that inherit members what `inherited` makes of it.
fn by_project<R>(
    catalogue: &Catalogue,
    principals: &[PrincipalId],
    role: impl Fn(&Member, &MemberRole) -> R,
    inherited: impl Fn(&R) -> R,
) -> HashMap<ProjectId, Vec<R>> {
    let mut roles: HashMap<ProjectId, Vec<R>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| principals.contains(&member.principal))
    {
        let of_member = member.roles.iter().map(|given| role(member, given));
        roles.entry(member.project).or_default().extend(of_member);
    }
    pass_down(catalogue, &mut roles, inherited);
    roles
}

/// Returns the roles of all members of a project, with where they come from: own ones, those of the
/// projects above that pass on their members, and those of groups.
pub fn roles_by_member(
    catalogue: &Catalogue,
    project: ProjectId,
) -> HashMap<PrincipalId, Vec<GrantedRole>> {
    let sources = sources(catalogue, project);
    let mut by_member: HashMap<PrincipalId, Vec<GrantedRole>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| sources.contains(&member.project))
    {
        let group = catalogue.groups.get(&member.principal);
        let is_inherited = member.project != project;
        let users = group.into_iter().flat_map(|group| &group.users);
        let principals = std::iter::once((member.principal, is_inherited))
            .chain(users.map(|user| ((*user).into(), true)));
        for (principal, is_inherited) in principals {
            let roles = member
                .roles
                .iter()
                .map(|role| GrantedRole::new(*role, is_inherited));
            by_member.entry(principal).or_default().extend(roles);
        }
    }
    by_member
}

/// Returns the members of a project with their roles, own and inherited from the projects above.
/// Members of groups are not resolved.
pub fn members_of(catalogue: &Catalogue, project: ProjectId) -> HashMap<PrincipalId, Vec<RoleId>> {
    let sources = sources(catalogue, project);
    let mut members: HashMap<PrincipalId, Vec<RoleId>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| sources.contains(&member.project))
    {
        members
            .entry(member.principal)
            .or_default()
            .extend(member.role_ids());
    }
    members
}

/// Returns the users who are members of a project: directly, through groups, and inherited from the
/// projects above; each once, by id. Users who are not active are included.
pub fn users_of_project(catalogue: &Catalogue, project: ProjectId) -> Vec<UserId> {
    let sources = sources(catalogue, project);
    let mut users: Vec<UserId> = Vec::new();
    for member in &catalogue.members {
        if sources.contains(&member.project) {
            match catalogue.groups.get(&member.principal) {
                Some(group) => users.extend(&group.users),
                None => users.push(UserId(member.principal.0)),
            }
        }
    }
    users.sort_unstable();
    users.dedup();
    users
}

/// Returns the roles of each member of a project, also of those through groups and inherited ones.
pub fn roles_in_project(
    catalogue: &Catalogue,
    project: ProjectId,
) -> HashMap<UserId, BTreeSet<RoleId>> {
    let sources = sources(catalogue, project);
    let mut roles: HashMap<UserId, BTreeSet<RoleId>> = HashMap::new();
    let members = catalogue.members.iter();
    for member in members.filter(|member| sources.contains(&member.project)) {
        let own = [UserId(member.principal.0)];
        let users = match catalogue.groups.get(&member.principal) {
            Some(group) => group.users.as_slice(),
            None => &own,
        };
        for user in users {
            roles.entry(*user).or_default().extend(member.role_ids());
        }
    }
    roles
}
