//! Updates boards (compatibility 13.2).

use super::create::{BoardChange, validate};
use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::viewer::Viewer;
use crate::store::{Write, messages};

/// Updates a board.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not manage boards; `Invalid` as for
/// [`super::create()`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &BoardChange,
) -> Result<(), ActionError> {
    let before = find_managed(db, viewer, id)?;
    let after = change.apply_to(&before);
    validate(db, &before, &after)?;
    Ok(messages::update_board(db, &after)?)
}
