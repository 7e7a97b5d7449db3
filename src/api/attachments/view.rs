//! How a file looks outside, and how a body names uploads (contract 4.1, 4.4, 9).

use crate::actions::attachments::{MOST_AT_ONCE, NewUpload};
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::http::Error;
use crate::http::search::title::encoded;
use crate::wire::{Fields, Input};

/// The fields of a file, in the order of the contract. `base` is the address of the service as the asker wrote it
/// (`Ask::base`). What only some lists show follows behind these.
pub fn attachment(w: &mut Fields, file: &Attachment, catalogue: &Catalogue, base: &str) {
    w.field("id", file.id.0);
    w.field("filename", &file.filename);
    w.field("filesize", file.filesize);
    w.field("content_type", &file.content_type);
    w.field("description", &file.description);
    w.field("content_url", format!("{base}/attachments/download/{}/{}", file.id, encoded(&file.filename)));
    if file.is_image() {
        w.field("thumbnail_url", format!("{base}/attachments/thumbnail/{}", file.id));
    }
    w.reference("author", file.author.0, catalogue.principal_name(file.author.into()).unwrap_or_default());
    w.field("created_on", file.created_on);
}

/// The uploads that the object of a body names under `uploads`: a list, or as forms have it a map of which the names do not
/// count. Without any there is nothing to attach.
///
/// # Errors
/// 422 when it is neither, when an entry is no object, or when there are more than [`MOST_AT_ONCE`].
pub fn uploads(fields: &Input) -> Result<Vec<NewUpload>, Error> {
    let entries: Vec<&Input> = match fields.get("uploads") {
        None => return Ok(Vec::new()),
        Some(Input::List(entries)) => entries.iter().collect(),
        Some(Input::Map(entries)) => entries.iter().map(|(_, entry)| entry).collect(),
        Some(other) if other.is_blank() => return Ok(Vec::new()),
        Some(other) => return Err(Error::invalid(format!("Uploads are invalid (a list is expected, not {})", other.kind()))),
    };
    if entries.len() > MOST_AT_ONCE {
        return Err(Error::invalid(format!("Uploads are too many (maximum is {MOST_AT_ONCE} in one request)")));
    }
    entries.into_iter().map(upload).collect()
}

fn upload(entry: &Input) -> Result<NewUpload, Error> {
    if !entry.is_map() {
        return Err(Error::invalid(format!("Uploads are invalid (an object with a token is expected, not {})", entry.kind())));
    }
    let text = |name: &str| entry.get(name).and_then(Input::as_text).map(|text| text.replace('\0', ""));
    Ok(NewUpload {
        token: text("token").unwrap_or_default(),
        filename: text("filename"),
        description: text("description"),
        content_type: text("content_type"),
    })
}
