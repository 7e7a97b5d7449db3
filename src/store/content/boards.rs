//! Boards of forums. The caller checks that the viewer may see messages in the project.

use super::messages;
use crate::engine::{Row, StatementError};
use crate::lists::polymorphic;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::board::Board;
use quarry_domain::ids::ProjectId;

/// Maximum number of boards of a project.
pub const MAX_BOARDS: usize = 1_000;

const COLUMNS: &str = "id, project_id, parent_id, name, description, position";

fn from_row(row: &Row<'_>) -> Result<Board, StatementError> {
    Ok(Board {
        id: row.next()?,
        project: row.next()?,
        parent: row.next()?,
        name: row.next()?,
        description: row.next()?,
        position: row.next()?,
    })
}

/// The columns that an update writes.
fn columns(board: &Board) -> ColumnValues {
    ColumnValues::new()
        .set("parent_id", board.parent)
        .set("name", &board.name)
        .set("description", &board.description)
}

/// Returns the boards of a project in their order, at most [`MAX_BOARDS`].
pub fn list(db: &Read<'_>, project: ProjectId) -> Result<Vec<Board>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM boards WHERE project_id = ?1 ORDER BY position, id LIMIT {MAX_BOARDS}"
    );
    db.rows(&sql, &[project.into()], from_row)
}

/// Returns the board with this id; its project decides who may see it.
pub fn find(db: &Read<'_>, id: i64) -> Result<Option<Board>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM boards WHERE id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the number of messages in a board.
pub fn count_messages(db: &Read<'_>, board: i64) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM messages WHERE board_id = ?1",
        &[board.into()],
    )
}

/// Inserts a board; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, board: &Board) -> Result<i64, StoreError> {
    let columns = columns(board)
        .set("project_id", board.project)
        .set("position", board.position);
    db.insert_record("boards", columns)
}

/// Updates a board, except its project and position.
pub fn update(db: &mut Write<'_>, board: &Board) -> Result<(), StoreError> {
    db.update_record("boards", board.id, columns(board))
        .map(drop)
}

/// Returns the position of a new board, after all others of the project.
pub fn next_position(db: &Read<'_>, project: ProjectId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COALESCE(MAX(position), 0) + 1 FROM boards WHERE project_id = ?1",
        &[project.into()],
    )
}

/// Deletes a board with its messages. The boards below it have no parent any more.
pub fn delete(db: &mut Write<'_>, board: i64) -> Result<(), StoreError> {
    messages::delete_by_board(db, board)?;
    polymorphic::delete_by_owners(db, "Board", &[board])?;
    db.execute(
        "UPDATE boards SET parent_id = NULL WHERE parent_id = ?1",
        &[board.into()],
    )?;
    db.execute("DELETE FROM boards WHERE id = ?1", &[board.into()])
        .map(drop)
}
