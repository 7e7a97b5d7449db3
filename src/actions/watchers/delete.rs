//! Removes watchers (compatibility 6.7 and 13.6).

use super::create::{find, is_only_viewer};
use super::find::{WatchTarget, may};
use crate::actions::ActionError;
use crate::domain::ids::PrincipalId;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Removes a watcher. Not an error if the user does not watch the record. Everybody may remove
/// themselves, except from an issue.
///
/// # Errors
/// As for [`super::create()`]; `NotFound` if the user or group does not exist or is hidden from the
/// viewer.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    watcher: PrincipalId,
) -> Result<(), ActionError> {
    let (watchable, project) = find(db, viewer, target)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.delete);
    if !may(viewer, permission, project) && !is_only_viewer(viewer, watchable, &[watcher]) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = db.catalogue();
    if catalogue.principal_name(watcher).is_none()
        || !visibility::can_see_principal(viewer, catalogue, watcher)
    {
        return Err(ActionError::NotFound);
    }
    Ok(watchers::delete(db, watchable, watcher)?)
}
