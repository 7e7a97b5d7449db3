//! The resource `/attachments`: description, content and changes of the files that belong to
//! records (compatibility 11.4).

use crate::prelude::*;
use quarry_actions::ActionError;
use quarry_actions::content::attachments;
use quarry_actions::content::attachments::{AttachmentChange, MAX_UPLOADS, NewUpload, Thumbnail};
use quarry_domain::content::attachment::{Attachment, ContainerType};
use quarry_domain::content::thumbnail::ThumbnailSize;
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::paths;
use quarry_http::{Download, thumbnail_handler};
use quarry_store::files::blobs;
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/attachments/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route("/attachments/download/{id}", get(read_handler(download)))
        .route(
            "/attachments/download/{id}/{filename}",
            get(read_handler(download)),
        )
        .route(
            "/attachments/thumbnail/{id}",
            get(thumbnail_handler(thumbnail)),
        )
        .route(
            "/attachments/thumbnail/{id}/{size}",
            get(thumbnail_handler(thumbnail)),
        )
}

/// `GET /attachments/:id`.
///
/// Returns an attachment; 403 when the viewer cannot see its record, 404 when it does not exist or
/// its content is missing.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = attachments::find(db, request.viewer(), id)?;
    let content = file.content.as_deref().ok_or(Error::NotFound)?;
    if !blobs::exists(db, &request.app.store, content)? {
        return Err(Error::NotFound);
    }
    let catalogue = Arc::clone(db.catalogue());
    let base = request.base_url();
    Ok(Reply::object("attachment", move |w| {
        write_attachment(w, &file, &catalogue, &base)
    }))
}

/// `PUT /attachments/:id`, `PATCH /attachments/:id` (compatibility 11.4).
///
/// Updates the name, the description or the media type of an attachment: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let change = parse_attachment(request)?;
    let file = request.write(move |db, viewer| attachments::update(db, viewer, id, &change))?;
    let catalogue = request.app.store.catalogue()?;
    let base = request.base_url();
    Ok(Reply::object("attachment", move |w| {
        write_attachment(w, &file, &catalogue, &base)
    }))
}

/// Parses the object `attachment`; without one nothing changes.
fn parse_attachment(request: &RequestContext) -> Result<AttachmentChange, Error> {
    let mut body = BodyFields::from_body(request, "attachment")?;
    let change = AttachmentChange {
        filename: body.text("filename", "File"),
        description: body.text_or_empty("description", "Description"),
        content_type: body.text("content_type", "Content type"),
    };
    body.check()?;
    Ok(change)
}

/// `DELETE /attachments/:id` (compatibility 11.4).
///
/// Deletes an attachment: 200 without a body. Its content is deleted too, unless another attachment
/// has the same.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = request.write(move |db, viewer| attachments::delete(db, viewer, id))?;
    if let Err(error) = blobs::delete_unused(&request.app.store, file.content.into_iter().collect())
    {
        // The attachment is deleted; a later run removes the content from the disk.
        tracing::warn!(error = %error, "the content of a deleted attachment could not be removed");
    }
    Ok(Reply::ok())
}

/// `GET /attachments/download/:id`, `GET /attachments/download/:id/:filename` (compatibility 11.4).
///
/// Sends the content; 404 for a wrong file name, and for an attachment that was imported without
/// its content. A hidden one is answered like one that does not exist.
fn download(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let file = find_content(request, db)?;
    let id = file.id;
    let filename = request.path_param("filename");
    if !filename.is_empty() && filename != file.filename {
        return Err(Error::NotFound);
    }
    let tag = file.content.clone().ok_or(Error::NotFound)?;
    let content = blobs::open(db, &request.app.store, &tag)?.ok_or(Error::NotFound)?;
    if counts_downloads(&file) && !request.has_range() {
        request
            .app
            .store
            .write_later(move |db| quarry_store::content::attachments::count_download(db, id));
    }
    Ok(Reply::file(Download {
        file: content,
        filename: file.filename,
        content_type: file.content_type,
        tag,
    }))
}

/// Returns the attachment in the path. Anonymous clients are asked to log in whether it is hidden or does not
/// exist; to others it does not exist.
fn find_content(request: &RequestContext, db: &Read<'_>) -> Result<Attachment, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let hidden = match request.viewer().user {
        Some(_) => Error::NotFound,
        None => Error::Forbidden,
    };
    attachments::find(db, request.viewer(), id).map_err(|error| match error {
        ActionError::NotFound | ActionError::Forbidden => hidden,
        error => error.into(),
    })
}

/// Whether the attachment is in the file list of a project, where downloads are counted.
fn counts_downloads(file: &Attachment) -> bool {
    let container_type = file.container.map(|container| container.container_type);
    matches!(
        container_type,
        Some(ContainerType::Version | ContainerType::Record(Kind::Project))
    )
}

/// `GET /attachments/thumbnail/:id`, `GET /attachments/thumbnail/:id/:size` (compatibility 11.4).
///
/// Sends the image as PNG, scaled down to `size` pixels on the longer side; 404 for other files,
/// and for images that cannot be scaled. Hidden ones are answered as for `download`.
fn thumbnail(request: &RequestContext, db: &Read<'_>) -> Result<Thumbnail, Error> {
    let file = find_content(request, db)?;
    let requested = match request.path_param("size") {
        "" => request
            .query_param("size")
            .and_then(|size| size.parse().ok()),
        size => size.parse().ok(),
    };
    Thumbnail::new(file, ThumbnailSize::new(requested)).ok_or(Error::NotFound)
}

/// Writes the fields of an attachment, in the order of compatibility 11.4. `base` is the URL of the
/// service as the client uses it (`RequestContext::base_url`).
pub fn write_attachment(w: &mut Fields, file: &Attachment, catalogue: &Catalogue, base: &str) {
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
            paths::encode(&file.filename)
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
pub fn parse_uploads(fields: &Input) -> Result<Vec<NewUpload>, Error> {
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
    Ok(NewUpload {
        token: text_of(entry, "token").unwrap_or_default(),
        filename: text_of(entry, "filename"),
        description: text_of(entry, "description"),
        content_type: text_of(entry, "content_type"),
    })
}

fn text_of(entry: &Input, name: &str) -> Option<String> {
    entry
        .get(name)
        .and_then(Input::as_text)
        .map(|text| text.replace('\0', ""))
}
