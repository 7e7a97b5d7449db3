//! `GET /projects/:id/boards` (compatibility 13.2).

use super::view;
use crate::actions::projects;
use crate::domain::permission::Permission;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, messages};
use std::sync::Arc;

/// Returns a page of the boards of a project, in their order.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = projects::find_with(
        &catalogue,
        request.viewer(),
        request.path_param("id"),
        Permission::ViewMessages,
    )?
    .id;
    let boards = messages::boards(db, project)?;
    let parents: Vec<_> = boards
        .iter()
        .map(|board| (board.id, board.name.clone()))
        .collect();
    let pagination = Pagination::from_query(&request.query);
    let (boards, total) = pagination.slice(boards);
    let counts =
        messages::count_by_board(db, &boards.iter().map(|board| board.id).collect::<Vec<_>>())?;
    let meta = pagination.meta(total, boards.len());
    let boards = boards.into_iter().map(|board| {
        let parent = parents
            .iter()
            .find(|(id, _)| Some(*id) == board.parent)
            .cloned();
        let (topics, messages) = counts.get(&board.id).copied().unwrap_or_default();
        view::BoardDetails {
            board,
            parent,
            topics,
            messages,
        }
    });
    Ok(Reply::list(
        "boards",
        "board",
        boards.collect(),
        move |w, board| view::board(w, &board, &catalogue),
        meta,
    ))
}
