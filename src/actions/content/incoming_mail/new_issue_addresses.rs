//! The secret addresses for new issues by mail: one for each user and project.

use crate::content::reply_addresses::reply_address;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::reply_token::ReplyTarget;
use quarry_store::content::new_issue_addresses;

/// Returns the address of this user for new issues of the project; `None` if new issues by mail are off.
/// The caller checks that the user may add issues there.
pub fn find(db: &Read<'_>, user: UserId, project: ProjectId) -> Result<Option<String>, StoreError> {
    if !db.catalogue().is_on(Setting::MailNewIssues) {
        return Ok(None);
    }
    let number = new_issue_addresses::number(db, user, project)?;
    let target = ReplyTarget::Project { project, number };
    Ok(reply_address(db, user, target))
}

/// Replaces the address of the viewer. The earlier ones stop working.
///
/// # Errors
/// `NotFound` unless the viewer has an address for the project.
pub fn renew(db: &mut Write<'_>, viewer: &Viewer, project: ProjectId) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::NotFound)?;
    let has_address =
        viewer.may(Permission::AddIssues, project) && find(db, user, project)?.is_some();
    if !has_address {
        return Err(ActionError::NotFound);
    }
    Ok(new_issue_addresses::renew(db, user, project)?)
}
