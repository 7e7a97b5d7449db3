//! Finds memberships.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{MembershipId, ProjectId, UserId};
use crate::domain::membership::Membership;
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Read, memberships};

/// Returns the memberships of a project by id.
///
/// # Errors
/// `Forbidden` if the viewer cannot see the project.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<Membership>, ActionError> {
    if !viewer.may(Permission::ViewMembers, project) {
        return Err(ActionError::Forbidden);
    }
    let mut listed = memberships::list_by_project(db, project)?;
    listed.retain(|membership| is_shown(db.catalogue(), viewer, membership));
    Ok(listed)
}

/// Returns the membership with this id.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer cannot see its project.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: MembershipId) -> Result<Membership, ActionError> {
    let membership = memberships::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !viewer.may(Permission::ViewMembers, membership.project) {
        return Err(ActionError::Forbidden);
    }
    if is_shown(db.catalogue(), viewer, &membership) {
        Ok(membership)
    } else {
        Err(ActionError::NotFound)
    }
}

/// Whether a membership of a visible project is shown. Only viewers who manage members see those of
/// users who cannot log in, unless the compatibility switch is on (compatibility 1.2).
fn is_shown(catalogue: &Catalogue, viewer: &Viewer, membership: &Membership) -> bool {
    let user = catalogue.users.get(&UserId(membership.principal.0));
    let manages_members =
        || viewer.admin || viewer.may(Permission::ManageMembers, membership.project);
    user.is_none_or(|user| user.status == UserStatus::Active)
        || manages_members()
        || catalogue.is_on(Setting::RedmineCompatibility)
}

/// Returns the membership if the viewer may manage the members of its project.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not manage it.
pub fn find_managed(
    db: &Read<'_>,
    viewer: &Viewer,
    id: MembershipId,
) -> Result<Membership, ActionError> {
    let membership = memberships::find(db, id)?.ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageMembers, membership.project) {
        Ok(membership)
    } else {
        Err(ActionError::Forbidden)
    }
}
