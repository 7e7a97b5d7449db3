//! Updates the description of a file (compatibility 11.4).

use super::rights;
use crate::actions::ActionError;
use crate::domain::attachment::{Attachment, clean_name};
use crate::domain::ids::AttachmentId;
use crate::domain::patch::Patch;
use crate::domain::viewer::Viewer;
use crate::store::{Write, attachments};

/// A change of the name and the description of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachmentChange {
    /// The file name.
    pub filename: Patch<String>,
    /// The description.
    pub description: Patch<String>,
    /// The media type.
    pub content_type: Patch<String>,
}

/// Updates the file, and returns it. Writes nothing if nothing changes.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not edit files of the record; `Invalid` with the
/// messages of compatibility 11.4.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: AttachmentId,
    change: &AttachmentChange,
) -> Result<Attachment, ActionError> {
    let before = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !rights::find(db, viewer, &before)?.edit {
        return Err(ActionError::Forbidden);
    }
    let mut after = before.clone();
    if change.filename.is_present() {
        after.filename = clean_name(change.filename.value().map_or("", String::as_str));
    }
    after.description = change.description.apply_to(after.description);
    if let Some(kind) = change.content_type.value() {
        after.content_type = kind.trim().to_owned();
    }
    if after == before {
        return Ok(before);
    }
    after
        .validate_update(&before)
        .into_result()
        .map_err(ActionError::Invalid)?;
    attachments::update(db, &after)?;
    Ok(after)
}
