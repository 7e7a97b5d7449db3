//! Finds boards.

use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::messages::Board;
use crate::store::{Read, messages};

/// Returns the board with this id (compatibility 13.2).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Board, ActionError> {
    let board = messages::find_board(db, id)?
        .filter(|board| viewer.may(Permission::ViewMessages, board.project));
    board.ok_or_else(|| ActionError::missing(viewer))
}

/// As [`find`], for viewers who may manage the boards of its project.
///
/// # Errors
/// As [`find`]; `Forbidden` if the viewer may not manage it.
pub(super) fn find_managed(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Board, ActionError> {
    let board = find(db, viewer, id)?;
    if viewer.may(Permission::ManageBoards, board.project) {
        Ok(board)
    } else {
        Err(ActionError::Forbidden)
    }
}
