//! JSON and XML of boards (compatibility 13.2).

use crate::domain::catalogue::Catalogue;
use crate::store::messages::Board;
use crate::wire::Fields;

/// A board with what its output needs.
pub struct BoardDetails {
    /// The board.
    pub board: Board,
    /// Id and name of the board that it is listed below.
    pub parent: Option<(i64, String)>,
    /// The number of its topics.
    pub topics: i64,
    /// The number of its topics and replies.
    pub messages: i64,
}

/// Writes the fields of a board, in the order of compatibility 13.2.
pub fn board(w: &mut Fields, details: &BoardDetails, catalogue: &Catalogue) {
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
