//! Watching an issue oneself.

use crate::actions::{ActionError, issues};
use crate::domain::ids::IssueId;
use crate::domain::viewer::Viewer;
use crate::store::{Read, StoreError, Write, watchers};

/// Whether the viewer watches the issue, other than as a member of a group.
pub fn is_watching(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<bool, StoreError> {
    let Some(user) = viewer.user else { return Ok(false) };
    Ok(watchers::list(db, id)?.contains(&user.into()))
}

/// Makes the viewer a watcher of an issue, or one no longer. Everybody who is logged in may watch what they see.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see it; `Forbidden` for anonymous.
pub fn set_watching(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, is_on: bool) -> Result<(), ActionError> {
    let issue = issues::find(db, viewer, id)?;
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    match is_on {
        true => watchers::insert(db, issue.id, user.into())?,
        false => watchers::delete(db, issue.id, user.into())?,
    }
    Ok(())
}
