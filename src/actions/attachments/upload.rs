//! Sending a file that a later request hangs on a record (contract 9).

use super::quota;
use crate::actions::Refused;
use crate::domain::attachment::{Attachment, clean_name, media_type, require_media_type};
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::AttachmentId;
use crate::domain::setting::Setting;
use crate::domain::text::is_blank;
use crate::domain::viewer::Viewer;
use crate::store::Write;
use crate::store::attachments::{self, Upload};
use crate::store::contents::{self, Whole};

/// What is said about a file that was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFile {
    /// Its name; a random one when nothing is said.
    pub filename: Option<String>,
    /// Its media type; the one that its name suggests when nothing is said.
    pub content_type: Option<String>,
}

/// The largest file that is taken, in bytes.
pub fn largest(catalogue: &Catalogue) -> u64 {
    catalogue.setting(Setting::AttachmentMaxSize).parse::<u64>().unwrap_or(0).saturating_mul(1024)
}

/// Keeps a file whose content has arrived; it waits for a record until `expire` takes it away.
///
/// # Errors
/// `Forbidden` for somebody who is not logged in, `Invalid` with the sentences of contract 9 and when the user has too many or too
/// large uploads that are not attached yet.
pub fn upload(
    db: &mut Write<'_>,
    viewer: &Viewer,
    said: &NewFile,
    content: Whole,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Attachment, Refused> {
    let Some(author) = viewer.user else { return Err(Refused::Forbidden) };
    let filename = match said.filename.as_deref().filter(|name| !is_blank(name)) {
        Some(name) => clean_name(name),
        None => random_name(entropy),
    };
    let mut file = Attachment {
        id: AttachmentId(0),
        container: None,
        content_type: media_type(said.content_type.as_deref(), &filename),
        filename,
        filesize: i64::try_from(content.size()).unwrap_or(i64::MAX),
        description: String::new(),
        author,
        created_on: clock.now(),
        digest: content.sha256().to_owned(),
        content: Some(content.sha256().to_owned()),
        downloads: 0,
    };
    let mut complaints = file.complaints();
    require_media_type(&mut complaints, &file.content_type);
    complaints.into_result().map_err(Refused::Invalid)?;
    quota::check(db, author, content.size())?;
    contents::insert(db, content)?;
    let record = Upload {
        filename: &file.filename,
        content_type: &file.content_type,
        filesize: file.filesize,
        sha256: &file.digest,
        author,
        created_on: file.created_on,
    };
    file.id = attachments::insert_upload(db, &record)?;
    Ok(file)
}

fn random_name(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 16];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}
