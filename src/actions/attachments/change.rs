//! Describing a file anew (contract 9).

use super::rights;
use crate::actions::Refused;
use crate::domain::attachment::{Attachment, clean_name};
use crate::domain::given::Given;
use crate::domain::ids::AttachmentId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, attachments};

/// What is asked of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachmentChange {
    /// Its name.
    pub filename: Given<String>,
    /// What it is.
    pub description: Given<String>,
    /// Its media type.
    pub content_type: Given<String>,
}

/// Changes what is said; the file as it is then. What changes nothing leaves no trace.
///
/// # Errors
/// `NotFound`, `Forbidden` when the viewer may not edit the record that it hangs on, `Invalid` with the sentences of
/// contract 9.
pub fn change(db: &mut Write<'_>, viewer: &Viewer, id: AttachmentId, asked: &AttachmentChange) -> Result<Attachment, Refused> {
    let before = attachments::find(db, id)?.ok_or(Refused::NotFound)?;
    if !rights::of(db, viewer, &before)?.edit {
        return Err(Refused::Forbidden);
    }
    let said = |asked: &Given<String>, before: &String| match asked {
        Given::Absent => before.clone(),
        Given::Empty => String::new(),
        Given::Value(text) => text.clone(),
    };
    let mut after = before.clone();
    if asked.filename.is_mentioned() {
        after.filename = clean_name(&said(&asked.filename, &before.filename));
    }
    after.description = said(&asked.description, &before.description);
    if let Some(kind) = asked.content_type.value() {
        after.content_type = kind.trim().to_owned();
    }
    if after == before {
        return Ok(before);
    }
    after.complaints_after(&before).into_result().map_err(Refused::Invalid)?;
    attachments::change(db, &after)?;
    Ok(after)
}
