//! Lists watchers (compatibility 13.6).

use super::find::{WatchTarget, may};
use crate::actions::ActionError;
use crate::domain::ids::PrincipalId;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, watchers};

/// Returns the watchers of a record that the viewer may see, in the order in which they were added.
/// Without the permission to see watchers, that is the viewer alone.
///
/// # Errors
/// As for [`WatchTarget::find`]; `Forbidden` for anonymous without the permission.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
) -> Result<Vec<PrincipalId>, ActionError> {
    let (watchable, project) = target.find(db, viewer)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.view);
    let may_see_all = may(viewer, permission, project);
    if !may_see_all && viewer.user.is_none() {
        return Err(ActionError::Forbidden);
    }
    let viewer_id = viewer.user.map(PrincipalId::from);
    let is_visible = |id: &PrincipalId| {
        viewer_id == Some(*id)
            || may_see_all && visibility::can_see_principal(viewer, db.catalogue(), *id)
    };
    Ok(watchers::list(db, watchable)?
        .into_iter()
        .filter(is_visible)
        .collect())
}
