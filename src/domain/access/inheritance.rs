//! Where the roles of members come from: their own memberships, those of their groups, and the
//! projects above that pass on their members (compatibility 11.7).

use super::member::MemberRole;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, UserId};
use std::collections::HashMap;

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
    let mut roles: HashMap<ProjectId, Vec<RoleId>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| principals.contains(&member.principal))
    {
        roles
            .entry(member.project)
            .or_default()
            .extend(member.role_ids());
    }
    pass_down(catalogue, &mut roles, |role| *role);
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
    let mut by_project: HashMap<ProjectId, Vec<GrantedRole>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| principals.contains(&member.principal))
    {
        let is_inherited = member.principal != principal;
        let roles = member
            .roles
            .iter()
            .map(|role| GrantedRole::new(*role, is_inherited));
        by_project.entry(member.project).or_default().extend(roles);
    }
    pass_down(catalogue, &mut by_project, |role| GrantedRole {
        inherited: true,
        ..*role
    });
    by_project
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
