//! Hanging uploads on a record (compatibility 6.4, "uploads").

use crate::actions::ActionError;
use crate::domain::attachment::{Attachment, Container, ContainerType, clean_name};
use crate::domain::ids::AttachmentId;
use crate::domain::viewer::Viewer;
use crate::store::journals::Detail;
use crate::store::{Write, attachments};

/// How many uploads one request may bring.
pub const MAX_UPLOADS: usize = 100;
/// How many files one record may have: they are all shown with it.
const MOST_ON_ONE: i64 = 1000;

/// An upload in a request; its name and description replace those given when it was uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewUpload {
    /// The token that sending it was answered with.
    pub token: String,
    /// Its name.
    pub filename: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its media type.
    pub content_type: Option<String>,
}

/// Hangs the uploads on a record, in their order; the files as they are then. Whether the viewer may write on the record is
/// for the caller to decide, in the same transaction. An upload hangs on one record only, and only its author can attach it.
///
/// # Errors
/// `Invalid`: `1 file(s) could not be saved.` for tokens that lead to no upload of the viewer's (compatibility 6.4), and the
/// sentences of compatibility 11.4 for names and descriptions that cannot be.
pub fn attach(
    db: &mut Write<'_>,
    viewer: &Viewer,
    container_type: impl Into<ContainerType>,
    id: i64,
    uploads: &[NewUpload],
) -> Result<Vec<Attachment>, ActionError> {
    if uploads.is_empty() {
        return Ok(Vec::new());
    }
    if uploads.len() > MAX_UPLOADS {
        return Err(ActionError::Invalid(vec![format!("Uploads are too many (maximum is {MAX_UPLOADS} in one request)")]));
    }
    let container = Container { container_type: container_type.into(), id };
    let there = attachments::count_by_container(db, container)?;
    if there.saturating_add(i64::try_from(uploads.len()).unwrap_or(i64::MAX)) > MOST_ON_ONE {
        return Err(ActionError::Invalid(vec![format!("Files are too many (maximum is {MOST_ON_ONE} on one record)")]));
    }
    let (mut attached, mut lost, mut errors) = (Vec::with_capacity(uploads.len()), 0, Vec::new());
    for upload in uploads {
        // Attached one by one, so that the same token fails the second time.
        let Some(waiting) = waiting(db, viewer, &upload.token)? else {
            lost += 1;
            continue;
        };
        let file = described(waiting.clone(), container, upload);
        match file.validate_update(&waiting).into_result() {
            Ok(()) => {
                attachments::update(db, &file)?;
                attached.push(file);
            }
            Err(sentences) => errors.extend(sentences),
        }
    }
    if lost > 0 {
        errors.insert(0, format!("{lost} file(s) could not be saved."));
    }
    if errors.is_empty() { Ok(attached) } else { Err(ActionError::Invalid(errors)) }
}

/// The viewer's upload with this token, unless it hangs on a record already.
fn waiting(db: &Write<'_>, viewer: &Viewer, token: &str) -> Result<Option<Attachment>, ActionError> {
    let number = token.split_once('.').and_then(|(number, _)| number.parse().ok()).map(AttachmentId);
    let Some(number) = number else { return Ok(None) };
    let found = attachments::find(db, number)?;
    Ok(found.filter(|file| file.container.is_none() && file.token() == token && viewer.user == Some(file.author)))
}

fn described(waiting: Attachment, container: Container, upload: &NewUpload) -> Attachment {
    let non_blank = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let filename = non_blank(&upload.filename).map_or_else(|| waiting.filename.clone(), |name| clean_name(&name));
    let content_type = non_blank(&upload.content_type).map_or_else(|| waiting.content_type.clone(), |text| text.trim().to_owned());
    let description = upload.description.clone().unwrap_or_else(|| waiting.description.clone());
    Attachment { container: Some(container), filename, content_type, description, ..waiting }
}

/// What the journal of an issue says of a file that was added (compatibility 6.2).
pub fn added(file: &Attachment) -> Detail {
    Detail { property: "attachment", name: file.id.to_string().into(), old_value: None, new_value: Some(file.filename.clone()) }
}
