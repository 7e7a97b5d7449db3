//! JSON and XML of attachments, and the uploads in a body (compatibility 6.1, 6.4, 11.4).

use crate::actions::attachments::{MAX_UPLOADS, NewUpload};
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::http::Error;
use crate::http::search::title::percent_encode;
use crate::wire::{Fields, Input};

/// Writes the fields of an attachment, in the order of compatibility 11.4. `base` is the URL of the
/// service as the client uses it (`RequestContext::base_url`).
pub fn attachment(w: &mut Fields, file: &Attachment, catalogue: &Catalogue, base: &str) {
    w.field("id", file.id.0);
    w.field("filename", &file.filename);
    w.field("filesize", file.filesize);
    w.field(
        "content_type",
        Some(&file.content_type).filter(|kind| !kind.is_empty()),
    );
    w.field("description", &file.description);
    w.field(
        "content_url",
        format!(
            "{base}/attachments/download/{}/{}",
            file.id,
            percent_encode(&file.filename)
        ),
    );
    if file.is_image() {
        w.field(
            "thumbnail_url",
            format!("{base}/attachments/thumbnail/{}", file.id),
        );
    }
    w.reference(
        "author",
        file.author.0,
        catalogue
            .principal_name(file.author.into())
            .unwrap_or_default(),
    );
    w.field("created_on", file.created_on);
}

/// Returns the uploads in the object of a body, under `uploads`: a list, or as forms send it, a map
/// whose keys are ignored.
///
/// # Errors
/// 422 when it is neither, when an entry is not an object, or when there are more than
/// [`MAX_UPLOADS`].
pub fn uploads(fields: &Input) -> Result<Vec<NewUpload>, Error> {
    let entries: Vec<&Input> = match fields.get("uploads") {
        None => return Ok(Vec::new()),
        Some(Input::List(entries)) => entries.iter().collect(),
        Some(Input::Map(entries)) => entries.iter().map(|(_, entry)| entry).collect(),
        Some(value) if value.is_blank() => return Ok(Vec::new()),
        Some(value) => {
            return Err(Error::invalid(format!(
                "Uploads are invalid (a list is expected, not {})",
                value.kind()
            )));
        }
    };
    if entries.len() > MAX_UPLOADS {
        return Err(Error::invalid(format!(
            "Uploads are too many (maximum is {MAX_UPLOADS} in one request)"
        )));
    }
    entries.into_iter().map(parse_upload).collect()
}

fn parse_upload(entry: &Input) -> Result<NewUpload, Error> {
    if !entry.is_map() {
        return Err(Error::invalid(format!(
            "Uploads are invalid (an object with a token is expected, not {})",
            entry.kind()
        )));
    }
    let text = |name: &str| {
        entry
            .get(name)
            .and_then(Input::as_text)
            .map(|text| text.replace('\0', ""))
    };
    Ok(NewUpload {
        token: text("token").unwrap_or_default(),
        filename: text("filename"),
        description: text("description"),
        content_type: text("content_type"),
    })
}
