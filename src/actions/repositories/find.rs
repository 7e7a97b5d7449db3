//! Finds repositories.

use crate::actions::{ActionError, projects};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::repositories::Repository;
use crate::store::{Read, repositories};

/// Returns the repository with this id (compatibility 13.3).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Repository, ActionError> {
    let repository = repositories::find_by_id(db, id)?;
    let repository =
        repository.filter(|repository| viewer.may(Permission::ViewChangesets, repository.project));
    repository.ok_or_else(|| ActionError::missing(viewer))
}

/// Returns the repository of the project, by its identifier or id.
///
/// # Errors
/// [`ActionError::missing`] if there is none, or the viewer cannot see the project; `Forbidden` if
/// the viewer may not see its changesets.
pub fn find_in_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: &str,
    repository: &str,
) -> Result<Repository, ActionError> {
    let project =
        projects::find_with(db.catalogue(), viewer, project, Permission::ViewChangesets)?.id;
    repositories::find(db, project, repository)?.ok_or_else(|| ActionError::missing(viewer))
}
