//! Looking a file up for somebody.

use super::rights;
use crate::actions::Refused;
use crate::domain::attachment::Attachment;
use crate::domain::ids::AttachmentId;
use crate::domain::viewer::Viewer;
use crate::store::{Read, attachments};

/// The file. Whoever may see the record that it hangs on may see it; an upload that waits is for its author.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it (contract part A: when which is as in Redmine).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: AttachmentId) -> Result<Attachment, Refused> {
    let file = attachments::find(db, id)?.ok_or(Refused::NotFound)?;
    if rights::of(db, viewer, &file)?.see { Ok(file) } else { Err(Refused::Forbidden) }
}
