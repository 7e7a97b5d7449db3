//! Looking a file up for somebody.

use super::rights;
use crate::actions::ActionError;
use crate::domain::attachment::Attachment;
use crate::domain::ids::AttachmentId;
use crate::domain::viewer::Viewer;
use crate::store::{Read, attachments};

/// Returns the file, for a viewer who may see the record that it is attached to. An upload that is not attached yet is for its author.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it (compatibility 3.5).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: AttachmentId) -> Result<Attachment, ActionError> {
    let file = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    if rights::of(db, viewer, &file)?.see { Ok(file) } else { Err(ActionError::Forbidden) }
}
