//! Attaches uploads to a record (compatibility 6.4, "uploads").

use crate::prelude::*;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType, clean_name};
use quarry_domain::ids::AttachmentId;
use quarry_domain::issues::journal::JournalDetail;
use quarry_domain::validation::ValidationError;
use quarry_store::content::attachments;

/// Maximum number of uploads that a request can attach.
pub const MAX_UPLOADS: usize = 100;
/// Maximum number of files per record. They are all shown with it.
const MAX_FILES: i64 = 1000;

/// An upload to attach. Name, description and media type replace those of the upload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewUpload {
    /// The token from the response to the upload.
    pub token: String,
    /// The file name.
    pub filename: Option<String>,
    pub description: Option<String>,
    /// The media type.
    pub content_type: Option<String>,
}

/// Attaches the uploads to a record in their order, and returns the attachments. The caller must
/// check in the same transaction that the viewer may change the record. An upload can be attached
/// once, by its author.
///
/// # Errors
/// `Invalid` with `1 file(s) could not be saved.` for tokens without an unattached upload of the
/// viewer (compatibility 6.4), and with the messages of compatibility 11.4 for invalid names and
/// descriptions.
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
        return Err(ActionError::invalid(format!(
            "Uploads are too many (maximum is {MAX_UPLOADS} in one request)"
        )));
    }
    let container = Container {
        container_type: container_type.into(),
        id,
    };
    let existing = attachments::count_by_container(db, container)?;
    if existing.saturating_add(i64::try_from(uploads.len()).unwrap_or(i64::MAX)) > MAX_FILES {
        return Err(ActionError::invalid(format!(
            "Files are too many (maximum is {MAX_FILES} on one record)"
        )));
    }
    let mut attached = Vec::with_capacity(uploads.len());
    let mut missing = 0;
    let mut errors: Vec<ValidationError> = Vec::new();
    for upload in uploads {
        // Attaches one by one, so that a repeated token fails.
        let Some(unattached) = find_unattached(db, viewer, &upload.token)? else {
            missing += 1;
            continue;
        };
        let file = attach_to(container, unattached.clone(), upload);
        match file.validate_update(&unattached).into_result() {
            Ok(()) => {
                attachments::update(db, &file)?;
                attached.push(file);
            }
            Err(invalid) => errors.extend(invalid),
        }
    }
    if missing > 0 {
        let message = format!("{missing} file(s) could not be saved.");
        errors.insert(0, ValidationError::for_record(message));
    }
    if errors.is_empty() {
        Ok(attached)
    } else {
        Err(ActionError::Invalid(errors.into()))
    }
}

/// Returns the upload of the viewer with this token, unless it is attached already.
fn find_unattached(
    db: &Write<'_>,
    viewer: &Viewer,
    token: &str,
) -> Result<Option<Attachment>, ActionError> {
    let id = token
        .split_once('.')
        .and_then(|(id, _)| id.parse().ok())
        .map(AttachmentId);
    let Some(id) = id else { return Ok(None) };
    let file = attachments::find(db, id)?;
    Ok(file.filter(|file| {
        file.container.is_none() && file.token() == token && viewer.user == Some(file.author)
    }))
}

fn attach_to(container: Container, unattached: Attachment, upload: &NewUpload) -> Attachment {
    let filename = non_blank(&upload.filename)
        .map_or_else(|| unattached.filename.clone(), |name| clean_name(&name));
    let content_type = non_blank(&upload.content_type).map_or_else(
        || unattached.content_type.clone(),
        |text| text.trim().to_owned(),
    );
    // As in Redmine, an attached file without a description has an empty one.
    let description = upload
        .description
        .clone()
        .or_else(|| unattached.description.clone())
        .or_else(|| Some(String::new()));
    Attachment {
        container: Some(container),
        filename,
        content_type,
        description,
        ..unattached
    }
}

fn non_blank(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

/// Returns the journal detail of an added attachment (compatibility 6.2).
pub fn added_detail(file: &Attachment) -> JournalDetail {
    JournalDetail {
        property: "attachment".to_owned(),
        name: file.id.to_string(),
        old_value: None,
        new_value: Some(file.filename.clone()),
    }
}
