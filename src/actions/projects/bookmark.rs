//! Bookmarks of projects, with which a search can be limited to them.

use super::find;
use crate::actions::ActionError;
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, projects};

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
///
/// # Errors
/// As [`add_bookmark`].
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
