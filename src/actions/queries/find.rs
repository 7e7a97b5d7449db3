//! Finds saved queries.

use crate::actions::ActionError;
use crate::domain::ids::QueryId;
use crate::domain::project::Project;
use crate::domain::query::saved::{QueryKind, SavedQuery};
use crate::domain::viewer::Viewer;
use crate::store::{Read, StoreError, queries};

/// Returns the query with this id (compatibility 13.7).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: QueryId) -> Result<SavedQuery, ActionError> {
    let query =
        queries::find(db, QueryKind::Issues, id)?.filter(|query| query.is_visible_to(viewer));
    query.ok_or_else(|| ActionError::missing(viewer))
}

/// Returns the default query of a project, if it has one that the viewer may use there.
pub fn find_default(
    db: &Read<'_>,
    viewer: &Viewer,
    project: &Project,
) -> Result<Option<SavedQuery>, StoreError> {
    let Some(id) = project.default_query else {
        return Ok(None);
    };
    let query = queries::find(db, QueryKind::Issues, id)?;
    Ok(query.filter(|query| query.is_usable_by(viewer, Some(project.id))))
}

/// As [`find`], for viewers who may change and delete it.
///
/// # Errors
/// As [`find`]; `Forbidden` if the viewer may not change it.
pub(super) fn find_editable(
    db: &Read<'_>,
    viewer: &Viewer,
    id: QueryId,
) -> Result<SavedQuery, ActionError> {
    let query = find(db, viewer, id)?;
    if query.is_editable_by(viewer) {
        Ok(query)
    } else {
        Err(ActionError::Forbidden)
    }
}
