//! Uploads a file, which a later request attaches to a record (compatibility 11.4).

use super::quota;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::clock::Entropy;
use quarry_domain::content::attachment::{Attachment, clean_name, media_type, require_media_type};
use quarry_domain::values::text::is_blank;
use quarry_store::content::attachments;
use quarry_store::files::blobs;
use quarry_store::files::blobs::StagedBlob;

/// The attributes of an upload in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFile {
    /// The file name; random by default.
    pub filename: Option<String>,
    /// The media type; by default that of the file name, if its extension is known.
    pub content_type: Option<String>,
}

/// Returns the maximum size of an uploaded file in bytes.
pub fn max_file_size(catalogue: &Catalogue) -> u64 {
    catalogue
        .setting(Setting::AttachmentMaxSize)
        .parse::<u64>()
        .unwrap_or(0)
        .saturating_mul(1024)
}

/// Creates an unattached upload with this content. It is deleted later unless it is attached, see
/// [`super::expire`].
///
/// # Errors
/// `Forbidden` for anonymous, and without a scope that writes; `Invalid` with the messages of
/// compatibility 11.4, and if the user exceeds the quota of unattached uploads.
pub fn upload(
    db: &mut Write<'_>,
    viewer: &Viewer,
    new_file: &NewFile,
    content: StagedBlob,
) -> Result<Attachment, ActionError> {
    let Some(author) = viewer.user.filter(|_| viewer.has_writing_scope()) else {
        return Err(ActionError::Forbidden);
    };
    let filename = match new_file.filename.as_deref().filter(|name| !is_blank(name)) {
        Some(name) => clean_name(name),
        None => random_name(db.entropy()),
    };
    let mut file = Attachment {
        content_type: media_type(new_file.content_type.as_deref(), &filename),
        filename,
        filesize: i64::try_from(content.size()).unwrap_or(i64::MAX),
        author,
        created_on: db.now(),
        digest: content.sha256().to_owned(),
        content: Some(content.sha256().to_owned()),
        ..Attachment::default()
    };
    let mut errors = file.validate();
    if !file.content_type.is_empty() {
        require_media_type(&mut errors, &file.content_type);
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    quota::check(db, author, content.size())?;
    blobs::insert(db, content)?;
    file.id = attachments::insert(db, &file)?;
    Ok(file)
}

fn random_name(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 16];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}
