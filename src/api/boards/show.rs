//! `GET /boards/:id` (compatibility 13.2).

use super::view::{self, BoardDetails};
use crate::actions::boards;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, messages};
use std::sync::Arc;

/// Returns the board.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    board_reply(request, db, request.id_param("id")?)
}

/// Returns the board with this id.
pub(super) fn board_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: i64,
) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let board = boards::find(db, request.viewer(), id)?;
    let parent = match board.parent {
        // An import can bring a parent in another project, which the viewer may not see.
        Some(parent) => {
            messages::find_board(db, parent)?.filter(|parent| parent.project == board.project)
        }
        None => None,
    };
    let parent = parent.map(|parent| (parent.id, parent.name));
    let (topics, messages) = messages::count_by_board(db, &[id])?
        .remove(&id)
        .unwrap_or_default();
    let details = BoardDetails {
        board,
        parent,
        topics,
        messages,
    };
    Ok(Reply::object("board", move |w| {
        view::board(w, &details, &catalogue)
    }))
}
