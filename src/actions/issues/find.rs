//! Looking an issue up for somebody.

use crate::actions::ActionError;
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, issues};

/// The issue. When to say that it is not there, and when that it is not for this viewer, is as in Redmine (compatibility 3.5).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<Issue, ActionError> {
    match issues::find(db, visibility::issues(viewer), id)? {
        Some(issue) => Ok(issue),
        None if issues::exists(db, id)? => Err(ActionError::Forbidden),
        None => Err(ActionError::NotFound),
    }
}
