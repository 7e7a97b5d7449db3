//! Finds messages.

use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::messages::{Board, Message};
use crate::store::{Read, messages};

/// A message with its board.
pub struct MessageInBoard {
    /// The message.
    pub message: Message,
    /// Its board.
    pub board: Board,
}

/// Returns the message with this id (compatibility 13.2).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<MessageInBoard, ActionError> {
    let Some(message) = messages::find_by_id(db, id)? else {
        return Err(ActionError::missing(viewer));
    };
    let board = messages::find_board(db, message.board)?
        .filter(|board| viewer.may(Permission::ViewMessages, board.project));
    board
        .map(|board| MessageInBoard { message, board })
        .ok_or_else(|| ActionError::missing(viewer))
}

impl MessageInBoard {
    /// Fails with `Forbidden` unless the viewer has the permission `any`, or has written the
    /// message and has the permission `own`.
    pub(super) fn require(
        &self,
        viewer: &Viewer,
        any: Permission,
        own: Permission,
    ) -> Result<(), ActionError> {
        let is_own = viewer.user.is_some() && viewer.user == self.message.author;
        let may = |permission| viewer.may(permission, self.board.project);
        if may(any) || is_own && may(own) {
            Ok(())
        } else {
            Err(ActionError::Forbidden)
        }
    }
}
