//! Creates issue statuses.

use super::StatusChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::catalogue::Status;
use crate::domain::ids::StatusId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issue_statuses};
use std::sync::Arc;

/// Creates a status, at the end of the list unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &StatusChange,
) -> Result<StatusId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let position = catalogue
        .statuses
        .iter()
        .map(|status| status.position)
        .max()
        .unwrap_or(0)
        + 1;
    let blank = Status {
        id: StatusId(0),
        name: String::new(),
        position,
        is_closed: false,
        default_done_ratio: None,
        description: None,
    };
    let draft = change.apply_to(&blank);
    change.validate(&catalogue, &draft)?;
    let id = issue_statuses::insert(db, &draft.name, position, draft.is_closed)?;
    change.save(db, &catalogue, &Status { id, ..draft })?;
    Ok(id)
}
