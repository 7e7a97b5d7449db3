//! Finds projects, and bookmarks them.

use crate::prelude::*;
use quarry_domain::projects::project::Project;
use quarry_store::projects;

/// Returns the project with this id or identifier. Archived projects are forbidden to everybody
/// (compatibility 8).
///
/// # Errors
/// `Forbidden` if the viewer has no rights in it.
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
/// `Forbidden` for everybody else.
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

/// Bookmarks the project for the viewer, and returns its name. Not an error if it is bookmarked
/// already.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` for anonymous, without the scope `save_queries`, and
/// where the viewer may not see it.
pub fn add_bookmark(
    db: &mut Write<'_>,
    viewer: &Viewer,
    reference: &str,
) -> Result<String, ActionError> {
    let (user, project, name) = bookmarkable(db, viewer, reference)?;
    projects::insert_bookmark(db, user, project)?;
    Ok(name)
}

/// Removes the viewer's bookmark of the project, and returns its name. Not an error if it is not
/// bookmarked.
pub fn remove_bookmark(
    db: &mut Write<'_>,
    viewer: &Viewer,
    reference: &str,
) -> Result<String, ActionError> {
    let (user, project, name) = bookmarkable(db, viewer, reference)?;
    projects::delete_bookmark(db, user, project)?;
    Ok(name)
}

fn bookmarkable(
    db: &Write<'_>,
    viewer: &Viewer,
    reference: &str,
) -> Result<(UserId, ProjectId, String), ActionError> {
    // Bookmarks belong to the user alone, like private queries.
    let user = viewer
        .user
        .filter(|_| viewer.has_scope(Permission::SaveQueries))
        .ok_or(ActionError::Forbidden)?;
    let project = find(db.catalogue(), viewer, reference)?;
    Ok((user, project.id, project.name.clone()))
}
