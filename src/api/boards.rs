//! Boards of the forums of projects (compatibility 13.2).

use crate::prelude::*;
use quarry_actions::content::boards;
use quarry_actions::content::boards::BoardChange;
use quarry_actions::projects;
use quarry_domain::content::board::Board;
use quarry_store as store;
use quarry_store::content::messages;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/boards/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/boards",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/boards` (compatibility 13.2).
///
/// Returns a page of the boards of a project, in their order.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = projects::find_with(
        &catalogue,
        request.viewer(),
        request.path_param("id"),
        Permission::ViewMessages,
    )?
    .id;
    let boards = store::content::boards::list(db, project)?;
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
        BoardDetails {
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
        move |w, board| write_board(w, &board, &catalogue),
        meta,
    ))
}

/// `GET /boards/:id` (compatibility 13.2).
///
/// Returns the board.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    board_reply(request, db, request.id_param("id")?)
}

/// Returns the board with this id.
fn board_reply(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let board = boards::find(db, request.viewer(), id)?;
    let parent = match board.parent {
        // An import can bring a parent in another project, which the viewer may not see.
        Some(parent) => store::content::boards::find(db, parent)?
            .filter(|parent| parent.project == board.project),
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
        write_board(w, &details, &catalogue)
    }))
}

/// `POST /projects/:id/boards` (compatibility 13.2).
///
/// Creates a board: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request.path_param("id").to_owned();
    let change = BoardChange::from_body(&request.body)?;
    let id = request.write(move |db, viewer| boards::create(db, viewer, &project, &change))?;
    Ok(request
        .app
        .read(|db| board_reply(request, db, id))?
        .created(format!("{}/boards/{id}", request.base_url())))
}

/// `PUT /boards/:id` (compatibility 13.2).
///
/// Updates a board: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let change = BoardChange::from_body(&request.body)?;
    request.write(move |db, viewer| boards::update(db, viewer, id, &change))?;
    request.app.read(|db| board_reply(request, db, id))
}

/// `DELETE /boards/:id` (compatibility 13.2).
///
/// Deletes a board with its messages: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| boards::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// A board with what its output needs.
pub struct BoardDetails {
    pub board: Board,
    /// Id and name of the board that it is listed below.
    pub parent: Option<(i64, String)>,
    /// The number of its topics.
    pub topics: i64,
    /// The number of its topics and replies.
    pub messages: i64,
}

/// Writes the fields of a board, in the order of compatibility 13.2.
pub fn write_board(w: &mut Fields, details: &BoardDetails, catalogue: &Catalogue) {
    let board = &details.board;
    w.field("id", board.id);
    w.reference(
        "project",
        board.project.0,
        catalogue.project_name(board.project),
    );
    w.maybe_reference(
        "parent",
        details
            .parent
            .as_ref()
            .map(|(id, name)| (*id, name.as_str())),
    );
    w.field("name", &board.name);
    w.field("description", &board.description);
    w.field("topics_count", details.topics);
    w.field("messages_count", details.messages);
}
