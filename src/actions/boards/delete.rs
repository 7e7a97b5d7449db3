//! Deletes boards (compatibility 13.2).

use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::viewer::Viewer;
use crate::store::{Write, messages};

/// Deletes a board with its messages and their files. The boards below it stay, without a parent.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not manage boards.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    Ok(messages::delete_board(db, id)?)
}
