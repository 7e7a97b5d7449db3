//! Finds documents.

use crate::actions::ActionError;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::documents::Document;
use crate::store::{Read, documents};

/// Returns the document with this id (compatibility 13.1).
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Document, ActionError> {
    documents::find(db, visibility::of_kind(viewer, Kind::Document), id)?
        .ok_or_else(|| ActionError::missing(viewer))
}

/// As [`find`], for viewers who have the permission in its project.
///
/// # Errors
/// As [`find`]; `Forbidden` if the viewer lacks the permission.
pub(super) fn find_with(
    db: &Read<'_>,
    viewer: &Viewer,
    id: i64,
    permission: Permission,
) -> Result<Document, ActionError> {
    let document = find(db, viewer, id)?;
    if viewer.may(permission, document.project) {
        Ok(document)
    } else {
        Err(ActionError::Forbidden)
    }
}
