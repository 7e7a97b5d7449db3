//! Deleting an issue (spec, "Issues").

use super::find::find;
use crate::actions::Refused;
use crate::domain::ids::IssueId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issues};

/// Deletes the issue and everything below it, with journals, time entries and attachments.
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not see it or not delete it.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: IssueId) -> Result<(), Refused> {
    let issue = find(db, viewer, id)?;
    if !viewer.may(Permission::DeleteIssues, issue.project) {
        return Err(Refused::Forbidden);
    }
    Ok(issues::remove(db, id)?)
}
