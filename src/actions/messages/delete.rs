//! Deletes messages (compatibility 13.2).

use super::find::find;
use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, messages};

/// Deletes a message with its files. A topic is deleted with all replies, including those of
/// others.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not delete the message.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find(db, viewer, id)?.require(
        viewer,
        Permission::DeleteMessages,
        Permission::DeleteOwnMessages,
    )?;
    Ok(messages::delete(db, id)?)
}
