//! Deletes saved queries (compatibility 13.7).

use super::find::find_editable;
use crate::actions::ActionError;
use crate::domain::ids::QueryId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, queries};

/// Deletes a query. Projects whose default query it was have none.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not delete it.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: QueryId) -> Result<(), ActionError> {
    find_editable(db, viewer, id)?;
    Ok(queries::delete(db, id)?)
}
