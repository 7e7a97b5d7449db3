//! Making somebody a watcher (compatibility 6.7).

use crate::actions::{ActionError, issues};
use crate::domain::ids::{IssueId, PrincipalId, UserId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Makes these users and groups watchers. Users who are unknown to the viewer or locked are skipped (otherwise one could read off
/// the list of watchers who else there is), those who watch already keep watching.
///
/// # Errors
/// `Forbidden` when there is no such issue, when the viewer may not see it, or may not add watchers to it: which of these is
/// not said (compatibility 6.7).
pub fn create(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, change: &[PrincipalId]) -> Result<(), ActionError> {
    let issue = watched(db, viewer, id, Permission::AddIssueWatchers)?;
    for watcher in change {
        let catalogue = db.catalogue();
        let is_active = catalogue.users.get(&UserId(watcher.0)).is_some_and(|user| user.status == UserStatus::Active);
        if (is_active || catalogue.groups.contains_key(watcher)) && visibility::can_see_principal(viewer, catalogue, *watcher) {
            watchers::insert(db, issue.id, *watcher)?;
        }
    }
    Ok(())
}

/// The issue, if the viewer may do this with its watchers.
pub(super) fn watched(db: &Write<'_>, viewer: &Viewer, id: IssueId, permission: Permission) -> Result<Issue, ActionError> {
    let issue = issues::find(db, viewer, id).map_err(|refused| match refused {
        ActionError::NotFound => ActionError::Forbidden,
        other => other,
    })?;
    if viewer.may(permission, issue.project) { Ok(issue) } else { Err(ActionError::Forbidden) }
}
