//! Adds watchers (compatibility 6.7).

use crate::actions::{ActionError, issues};
use crate::domain::ids::{IssueId, PrincipalId, UserId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Adds these users and groups as watchers. Skips hidden and inactive users, so that the list of watchers reveals nobody, and those who
/// watch already.
///
/// # Errors
/// `Forbidden` if the issue does not exist, the viewer may not see it, or may not add watchers (compatibility 6.7).
pub fn create(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, principals: &[PrincipalId]) -> Result<(), ActionError> {
    let issue = find_permitted(db, viewer, id, Permission::AddIssueWatchers)?;
    for watcher in principals {
        let catalogue = db.catalogue();
        let is_active = catalogue.users.get(&UserId(watcher.0)).is_some_and(|user| user.status == UserStatus::Active);
        if (is_active || catalogue.groups.contains_key(watcher)) && visibility::can_see_principal(viewer, catalogue, *watcher) {
            watchers::insert(db, issue.id, *watcher)?;
        }
    }
    Ok(())
}

/// Returns the issue if the viewer has the permission.
pub(super) fn find_permitted(db: &Write<'_>, viewer: &Viewer, id: IssueId, permission: Permission) -> Result<Issue, ActionError> {
    let issue = issues::find(db, viewer, id).map_err(|error| match error {
        ActionError::NotFound => ActionError::Forbidden,
        error => error,
    })?;
    if viewer.may(permission, issue.project) { Ok(issue) } else { Err(ActionError::Forbidden) }
}
