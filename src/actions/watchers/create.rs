//! Adds watchers (compatibility 6.7 and 13.6).

use super::find::{WatchTarget, may};
use crate::actions::ActionError;
use crate::domain::ids::{PrincipalId, ProjectId, UserId};
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::store::{Read, Write, watchers};

/// Adds these users and groups as watchers. Skips hidden and inactive users, so that the list of
/// watchers reveals nobody, and those who watch already. Everybody may add themselves, except to an
/// issue.
///
/// # Errors
/// As for [`WatchTarget::find`]; `Forbidden` if the viewer may not add watchers, and for a missing
/// issue (compatibility 6.7).
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    principals: &[PrincipalId],
) -> Result<(), ActionError> {
    let (watchable, project) = find(db, viewer, target)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.add);
    if !may(viewer, permission, project) && !is_only_viewer(viewer, watchable, principals) {
        return Err(ActionError::Forbidden);
    }
    for watcher in principals {
        let catalogue = db.catalogue();
        let is_active = catalogue
            .users
            .get(&UserId(watcher.0))
            .is_some_and(|user| user.status == UserStatus::Active);
        if (is_active || catalogue.groups.contains_key(watcher))
            && visibility::can_see_principal(viewer, catalogue, *watcher)
        {
            watchers::insert(db, watchable, *watcher)?;
        }
    }
    Ok(())
}

/// As [`WatchTarget::find`], with `Forbidden` for a missing issue.
pub(super) fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
) -> Result<(Watchable, ProjectId), ActionError> {
    target
        .find(db, viewer)
        .map_err(|error| match (target, error) {
            (WatchTarget::Issue(_), ActionError::NotFound) => ActionError::Forbidden,
            (_, error) => error,
        })
}

/// Whether a request is about the viewer alone, who needs no permission for that, except on issues.
pub(super) fn is_only_viewer(
    viewer: &Viewer,
    watchable: Watchable,
    principals: &[PrincipalId],
) -> bool {
    let Some(user) = viewer
        .user
        .filter(|_| viewer.has_scope(watchable.watchable_type.own_scope()))
    else {
        return false;
    };
    watchable.watchable_type != WatchableType::Issue
        && principals.iter().all(|principal| *principal == user.into())
}
