//! Finds projects.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::viewer::Viewer;

/// Returns the project with this id or identifier. Archived projects are forbidden to everybody
/// (compatibility 8).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it.
pub fn find<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    reference: &str,
) -> Result<&'c Project, ActionError> {
    let project = catalogue
        .project_by(reference)
        .ok_or(ActionError::NotFound)?;
    viewer
        .rights(project.id)
        .map(|_| project)
        .ok_or(ActionError::Forbidden)
}

/// Returns the project if the viewer has the permission in it.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer lacks the permission.
pub(super) fn find_permitted<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    reference: &str,
    permission: Permission,
) -> Result<&'c Project, ActionError> {
    let project = find(catalogue, viewer, reference)?;
    if viewer.may(permission, project.id) {
        Ok(project)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Returns the project if the viewer has the permission in it, without a hint whether there are
/// projects that the viewer cannot see (compatibility 13).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer can see; `Forbidden` if the viewer
/// lacks the permission.
pub fn find_with<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    reference: &str,
    permission: Permission,
) -> Result<&'c Project, ActionError> {
    match catalogue.project_by(reference) {
        Some(project) if viewer.may(permission, project.id) => Ok(project),
        Some(project) if viewer.sees(project.id) => Err(ActionError::Forbidden),
        _ => Err(ActionError::missing(viewer)),
    }
}

/// Returns the project in any state if the viewer is an administrator.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` for everybody else.
pub(super) fn find_as_administrator<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    reference: &str,
) -> Result<&'c Project, ActionError> {
    let project = catalogue
        .project_by(reference)
        .ok_or(ActionError::NotFound)?;
    if viewer.admin {
        Ok(project)
    } else {
        Err(ActionError::Forbidden)
    }
}
