//! Finds attachments.

use super::rights;
use crate::actions::ActionError;
use crate::domain::attachment::Attachment;
use crate::domain::ids::AttachmentId;
use crate::domain::viewer::Viewer;
use crate::store::{Read, attachments};

/// Returns the file if the viewer may see its record. Only its author may see an unattached upload.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it (compatibility 3.5).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: AttachmentId) -> Result<Attachment, ActionError> {
    let file = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    if rights::find(db, viewer, &file)?.see {
        Ok(file)
    } else {
        Err(ActionError::Forbidden)
    }
}
