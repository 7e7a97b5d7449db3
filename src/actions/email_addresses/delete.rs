//! Removes mail addresses.

use super::find;
use crate::actions::ActionError;
use crate::domain::ids::UserId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, email_addresses};

/// Removes a further address of a user.
///
/// # Errors
/// As for [`find()`].
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
) -> Result<(), ActionError> {
    find(db, viewer, user, id)?;
    Ok(email_addresses::delete(db, id)?)
}
