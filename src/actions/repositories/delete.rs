//! Deletes repositories (compatibility 13.3).

use super::find::find;
use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, repositories};

/// Deletes a repository with its changesets and their links to issues. Issues keep what commit
/// messages have changed.
///
/// # Errors
/// As for [`find`]; `Forbidden` if the viewer may not manage repositories.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    let repository = find(db, viewer, id)?;
    if !viewer.may(Permission::ManageRepository, repository.project) {
        return Err(ActionError::Forbidden);
    }
    Ok(repositories::delete(db, id)?)
}
