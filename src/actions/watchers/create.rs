//! Making somebody a watcher (contract 4.7).

use crate::actions::{Refused, issues};
use crate::domain::ids::{IssueId, PrincipalId, UserId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, watchers};

/// Makes these users and groups watchers. Whoever is unknown to the viewer or locked is passed over (otherwise one could read off
/// the list of watchers who else there is), whoever watches already goes on watching.
///
/// # Errors
/// `Forbidden` when there is no such issue, when the viewer may not see it, or may not add watchers to it: which of these is
/// not said (contract 4.7).
pub fn create(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, asked: &[PrincipalId]) -> Result<(), Refused> {
    let issue = watched(db, viewer, id, Permission::AddIssueWatchers)?;
    for watcher in asked {
        let catalogue = db.catalogue();
        let is_active = catalogue.users.get(&UserId(watcher.0)).is_some_and(|user| user.status == UserStatus::Active);
        if (is_active || catalogue.groups.contains_key(watcher)) && visibility::knows(viewer, catalogue, *watcher) {
            watchers::insert(db, issue.id, *watcher)?;
        }
    }
    Ok(())
}

/// The issue, if the viewer may do this with its watchers.
pub(super) fn watched(db: &Write<'_>, viewer: &Viewer, id: IssueId, permission: Permission) -> Result<Issue, Refused> {
    let issue = issues::find(db, viewer, id).map_err(|refused| match refused {
        Refused::NotFound => Refused::Forbidden,
        other => other,
    })?;
    if viewer.may(permission, issue.project) { Ok(issue) } else { Err(Refused::Forbidden) }
}
