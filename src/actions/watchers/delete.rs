//! Removes watchers (compatibility 6.7).

use super::create::find_permitted;
use crate::actions::ActionError;
use crate::domain::ids::{IssueId, PrincipalId};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Removes a watcher from an issue. Not an error if the user does not watch it.
///
/// # Errors
/// `Forbidden` as for [`super::create()`]; `NotFound` if the user or group does not exist or is hidden from the viewer.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, watcher: PrincipalId) -> Result<(), ActionError> {
    let issue = find_permitted(db, viewer, id, Permission::DeleteIssueWatchers)?;
    let catalogue = db.catalogue();
    if catalogue.principal_name(watcher).is_none() || !visibility::can_see_principal(viewer, catalogue, watcher) {
        return Err(ActionError::NotFound);
    }
    Ok(watchers::delete(db, issue.id, watcher)?)
}
