//! Finds further mail addresses.

use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::ids::UserId;
use crate::domain::viewer::Viewer;
use crate::store::Read;
use crate::store::email_addresses::{self, EmailAddress};

/// Returns the further addresses of a user, in the order in which they were added.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound` if there is no such user.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
) -> Result<Vec<EmailAddress>, ActionError> {
    require_user(db, viewer, user)?;
    Ok(email_addresses::list(db, user)?)
}

/// Returns a further address of a user.
///
/// # Errors
/// As for [`list`]; `NotFound` if the user has no such address.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
) -> Result<EmailAddress, ActionError> {
    require_user(db, viewer, user)?;
    email_addresses::find(db, user, id)?.ok_or(ActionError::NotFound)
}

/// Fails unless the viewer is an administrator and the user exists.
pub(super) fn require_user(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    if db.catalogue().users.contains_key(&user) {
        Ok(())
    } else {
        Err(ActionError::NotFound)
    }
}
