//! The principals to whom issues can be assigned (compatibility 6.4).

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{PrincipalId, ProjectId, UserId};
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::domain::viewer::{Viewer, memberships};

/// Whether issues of the project can be assigned to the principal: an active member with an assignable role, and a group only if the
/// setting allows groups.
pub fn in_project(catalogue: &Catalogue, project: ProjectId, principal: PrincipalId) -> bool {
    let id = UserId(principal.0);
    match catalogue.users.get(&id) {
        Some(user) if user.status != UserStatus::Active => false,
        Some(_) => {
            let viewer = Viewer::new(catalogue, Some(id));
            viewer.rights(project).is_some_and(|rights| rights.member && has_assignable_role(catalogue, &rights.roles))
        }
        None => {
            let roles = || memberships(catalogue, &[principal]).remove(&project).unwrap_or_default();
            catalogue.is_on(Setting::IssueGroupAssignment) && has_assignable_role(catalogue, &roles())
        }
    }
}

/// Whether the user is an active member of the project.
pub fn is_member(catalogue: &Catalogue, project: ProjectId, user: UserId) -> bool {
    let active = catalogue.users.get(&user).is_some_and(|user| user.status == UserStatus::Active);
    active && Viewer::new(catalogue, Some(user)).rights(project).is_some_and(|rights| rights.member)
}

fn has_assignable_role(catalogue: &Catalogue, roles: &[crate::domain::ids::RoleId]) -> bool {
    roles.iter().any(|id| catalogue.role(*id).is_some_and(|role| role.assignable))
}
