//! Limits of the columns of boards. Those who may edit a project set them; everybody who sees its
//! board sees them.

use crate::prelude::*;
use quarry_domain::query::board::BoardField;
use quarry_store::issues::board_limits::{self, BoardLimits};

/// Highest limit.
pub const MAX_LIMIT: i64 = 9_999;
/// Maximum number of columns with a limit.
pub const MAX_LIMITED_COLUMNS: usize = 100;

/// Returns the name of the attribute that is the limit of the column with this value.
pub fn attribute(value: Option<i64>) -> String {
    value.map_or_else(|| "limit_none".to_owned(), |id| format!("limit_{id}"))
}

/// Replaces the limits of the columns of a project by a field.
///
/// # Errors
/// `Invalid` if there are too many, or one is not between 1 and [`MAX_LIMIT`].
pub fn replace(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    field: BoardField,
    limits: &BoardLimits,
) -> Result<(), ActionError> {
    if !viewer.may(Permission::EditProject, project) {
        return Err(ActionError::Forbidden);
    }
    let mut errors = ValidationErrors::new();
    if limits.len() > MAX_LIMITED_COLUMNS {
        errors.add_message("There are too many columns with a limit.");
    }
    for (value, limit) in limits {
        if !(1..=MAX_LIMIT).contains(limit) {
            errors.add(&attribute(*value), "Limit", "must be between 1 and 9999");
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(board_limits::replace(db, project, field, limits)?)
}
