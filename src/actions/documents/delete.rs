//! Deletes documents (compatibility 13.1).

use super::find::find_with;
use crate::actions::ActionError;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, documents};

/// Deletes a document with its files. The cleanup job deletes their contents.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not delete documents.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_with(db, viewer, id, Permission::DeleteDocuments)?;
    Ok(documents::delete(db, id)?)
}
