//! Finds versions.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::permission::Permission;
use crate::domain::version::Version;
use crate::domain::viewer::Viewer;

/// Returns the version if the viewer may see the issues of its project.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it.
pub fn find<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: VersionId,
) -> Result<&'c Version, ActionError> {
    let version = catalogue.versions.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ViewIssues, version.project) {
        Ok(version)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Returns the versions of a project and those that are shared with it, by id.
///
/// # Errors
/// `Forbidden` if the viewer may not see the issues of the project.
pub fn list<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<&'c Version>, ActionError> {
    if !viewer.may(Permission::ViewIssues, project) {
        return Err(ActionError::Forbidden);
    }
    let mut versions: Vec<&Version> = catalogue
        .versions
        .values()
        .filter(|version| catalogue.is_shared_with(version, project))
        .collect();
    versions.sort_by_key(|version| version.id);
    Ok(versions)
}

/// Returns the version if the viewer may manage the versions of its project.
pub(super) fn find_managed<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: VersionId,
) -> Result<&'c Version, ActionError> {
    let version = catalogue.versions.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageVersions, version.project) {
        Ok(version)
    } else {
        Err(ActionError::Forbidden)
    }
}
