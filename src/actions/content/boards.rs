//! Boards of the forums of projects (compatibility 13.2).
//!
//! Invariants: the parent of a board is in the same project, and no board is below itself. A
//! deleted board takes its messages along; the boards below it stay. May import: `domain`, `store`.

use crate::administration::validate_position;
use crate::prelude::*;
use crate::projects;
use quarry_domain::content::board::Board;
use quarry_domain::values::position::move_to;
use quarry_store::content::boards;
use quarry_store::content::boards::MAX_BOARDS;
use quarry_store::lists::positions;
use std::sync::Arc;

/// Returns the board with this id (compatibility 13.2).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Board, ActionError> {
    let board =
        boards::find(db, id)?.filter(|board| viewer.may(Permission::ViewMessages, board.project));
    board.ok_or_else(|| ActionError::missing(viewer))
}

/// As [`find`], for viewers who may manage the boards of its project.
fn find_managed(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Board, ActionError> {
    let board = find(db, viewer, id)?;
    if viewer.may(Permission::ManageBoards, board.project) {
        Ok(board)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Maximum length of a name in characters.
const MAX_NAME_LENGTH: usize = 30;

/// Maximum length of a description in characters.
const MAX_DESCRIPTION_LENGTH: usize = 255;

/// The attributes of a board in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardChange {
    pub name: Patch<String>,
    pub description: Patch<String>,
    /// The board that it is listed below.
    pub parent: Patch<i64>,
    /// The position among the boards of the project, from 1.
    pub position: Patch<i64>,
}

impl BoardChange {
    /// Returns the board after the change.
    fn apply_to(&self, before: &Board) -> Board {
        Board {
            name: self.name.apply_to_text(&before.name),
            description: self.description.apply_to_text(&before.description),
            parent: self.parent.apply_to(before.parent),
            ..before.clone()
        }
    }
}

/// Creates a board in the project, after the others, and returns its id.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: &str,
    change: &BoardChange,
) -> Result<i64, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = projects::find_with(&catalogue, viewer, project, Permission::ViewMessages)?.id;
    if !viewer.may(Permission::ManageBoards, project) {
        return Err(ActionError::Forbidden);
    }
    let blank = Board {
        project,
        position: boards::next_position(db, project)?,
        ..Board::default()
    };
    let board = change.apply_to(&blank);
    validate(db, &blank, &board, change)?;
    let id = boards::insert(db, &board)?;
    save_position(db, project, id, change)?;
    Ok(id)
}

/// Validates a board.
fn validate(
    db: &Read<'_>,
    before: &Board,
    after: &Board,
    change: &BoardChange,
) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    validate_position(&mut errors, &change.position);
    let boards = boards::list(db, after.project)?;
    if before.name != after.name || after.id == 0 {
        errors.require_text("name", "Name", &after.name, MAX_NAME_LENGTH);
        errors.refuse_line_breaks("name", "Name", &after.name, None);
    }
    if before.description != after.description {
        errors.limit_text(
            "description",
            "Description",
            &after.description,
            MAX_DESCRIPTION_LENGTH,
        );
    }
    if let Some(parent) = after.parent.filter(|_| before.parent != after.parent) {
        if !boards.iter().any(|board| board.id == parent) {
            errors.add(
                "parent_id",
                "Parent board",
                "is invalid (this project has no such board)",
            );
        } else if is_below(&boards, parent, after.id) {
            errors.add(
                "parent_id",
                "Parent board",
                "is invalid (a board cannot stand below itself)",
            );
        }
    }
    if after.id == 0 && boards.len() >= MAX_BOARDS {
        errors.add_message(&format!(
            "Boards are too many (maximum is {MAX_BOARDS} in one project)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)
}

/// Moves a board to the requested position.
fn save_position(
    db: &mut Write<'_>,
    project: ProjectId,
    id: i64,
    change: &BoardChange,
) -> Result<(), ActionError> {
    if let Some(position) = change.position.value() {
        let existing = boards::list(db, project)?;
        let mut order: Vec<i64> = existing.iter().map(|board| board.id).collect();
        move_to(&mut order, id, *position);
        positions::update(db, "boards", &order)?;
    }
    Ok(())
}

/// Whether `board` is `ancestor` or below it. Ends even if imported boards form a cycle.
fn is_below(boards: &[Board], board: i64, ancestor: i64) -> bool {
    std::iter::successors(Some(board), |id| parent_of(boards, *id))
        .take(boards.len() + 1)
        .any(|id| id == ancestor)
}

fn parent_of(boards: &[Board], id: i64) -> Option<i64> {
    boards
        .iter()
        .find(|board| board.id == id)
        .and_then(|board| board.parent)
}

/// Updates a board.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &BoardChange,
) -> Result<(), ActionError> {
    let before = find_managed(db, viewer, id)?;
    let after = change.apply_to(&before);
    validate(db, &before, &after, change)?;
    boards::update(db, &after)?;
    save_position(db, after.project, id, change)
}

/// Deletes a board with its messages and their files. The boards below it stay, without a parent.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    Ok(boards::delete(db, id)?)
}
