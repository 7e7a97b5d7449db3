//! Making somebody a watcher no longer (contract 4.7).

use super::create::watched;
use crate::actions::Refused;
use crate::domain::ids::{IssueId, PrincipalId};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Takes a watcher from an issue; whoever does not watch it goes on not watching it.
///
/// # Errors
/// `Forbidden` as for adding one; `NotFound` when there is no such user or group, as far as the viewer may know.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, watcher: PrincipalId) -> Result<(), Refused> {
    let issue = watched(db, viewer, id, Permission::DeleteIssueWatchers)?;
    let catalogue = db.catalogue();
    if catalogue.principal_name(watcher).is_none() || !visibility::knows(viewer, catalogue, watcher) {
        return Err(Refused::NotFound);
    }
    Ok(watchers::remove(db, issue.id, watcher)?)
}
