//! Watching a record oneself.

use super::find::WatchTarget;
use crate::actions::ActionError;
use crate::domain::viewer::Viewer;
use crate::domain::watchable::Watchable;
use crate::store::{Read, StoreError, Write, watchers};

/// Whether the viewer watches the record, other than as a member of a group; `None` for anonymous,
/// who cannot.
pub fn is_watching(
    db: &Read<'_>,
    viewer: &Viewer,
    watchable: Watchable,
) -> Result<Option<bool>, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(None);
    };
    Ok(Some(watchers::list(db, watchable)?.contains(&user.into())))
}

/// Makes the viewer a watcher of a record, or one no longer. Everybody who is logged in may watch
/// what they see.
///
/// # Errors
/// As for [`WatchTarget::find`]; `Forbidden` for anonymous.
pub fn set_watching(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    is_on: bool,
) -> Result<(), ActionError> {
    let (watchable, _) = target.find(db, viewer)?;
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    match is_on {
        true => watchers::insert(db, watchable, user.into())?,
        false => watchers::delete(db, watchable, user.into())?,
    }
    Ok(())
}
