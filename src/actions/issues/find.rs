//! Finds issues.

use crate::actions::ActionError;
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, issues};

/// Returns the issue if the viewer may see it. As in Redmine, the error reveals whether it exists
/// (compatibility 3.5).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<Issue, ActionError> {
    match issues::find(db, visibility::issues(viewer), id)? {
        Some(issue) => Ok(issue),
        None if issues::exists(db, id)? => Err(ActionError::Forbidden),
        None => Err(ActionError::NotFound),
    }
}
