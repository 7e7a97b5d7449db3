//! Looking a project up for somebody.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::viewer::Viewer;

/// The project with this number or identifier. An archived one is forbidden to everybody (compatibility 8).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it.
pub fn find<'c>(catalogue: &'c Catalogue, viewer: &Viewer, reference: &str) -> Result<&'c Project, ActionError> {
    let project = catalogue.project_by(reference).ok_or(ActionError::NotFound)?;
    viewer.rights(project.id).map(|_| project).ok_or(ActionError::Forbidden)
}

/// The project, if the viewer has the permission there.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not do this.
pub(super) fn permitted<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    reference: &str,
    permission: Permission,
) -> Result<&'c Project, ActionError> {
    let project = find(catalogue, viewer, reference)?;
    if viewer.may(permission, project.id) { Ok(project) } else { Err(ActionError::Forbidden) }
}

/// The project, in whichever state, if the viewer is an administrator.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` for everybody else.
pub(super) fn for_administrator<'c>(catalogue: &'c Catalogue, viewer: &Viewer, reference: &str) -> Result<&'c Project, ActionError> {
    let project = catalogue.project_by(reference).ok_or(ActionError::NotFound)?;
    if viewer.admin { Ok(project) } else { Err(ActionError::Forbidden) }
}
