//! Uploads: files that are attached to a record later.

use crate::prelude::*;
use axum::routing::post;
use quarry_actions::content::attachments;
use quarry_actions::content::attachments::{NewFile, quota};
use quarry_http::{UploadLimit, upload_handler};
use quarry_store::files::blobs;
use quarry_store::files::blobs::StagedBlob;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/uploads", post(upload_handler(check, create)))
}

/// The only accepted media type.
const MEDIA_TYPE: &str = "application/octet-stream";

const WRONG_MEDIA_TYPE: &str = "Send the content of the file as the body, with the header Content-Type: application/octet-stream";

/// `POST /uploads` (compatibility 11.4).
///
/// Every logged-in user may upload files, with an access token only if one of its scopes writes.
/// The size is limited by the setting `attachment_max_size`, and by what remains of the quota for
/// uploads that are not attached yet.
fn check(request: &RequestContext, db: &Read<'_>) -> Result<UploadLimit, Error> {
    let user = request.require_user()?;
    if !request.viewer().has_writing_scope() {
        return Err(Error::Forbidden);
    }
    if request.body_media_type() != MEDIA_TYPE {
        return Err(Error::UnsupportedBody(WRONG_MEDIA_TYPE));
    }
    let max_bytes = attachments::max_file_size(db.catalogue());
    let message = format!(
        "This file cannot be uploaded because it exceeds the maximum allowed file size ({max_bytes})"
    );
    let remaining = quota::remaining(db, user)?;
    let error = if remaining < max_bytes {
        quota::exceeded(db).into()
    } else {
        Error::invalid(message)
    };
    Ok(UploadLimit {
        max_bytes: max_bytes.min(remaining),
        error,
    })
}

/// Stores the file. Returns 201 with the token that attaches it to a record.
fn create(request: &RequestContext, content: StagedBlob) -> Result<Reply, Error> {
    let file = NewFile {
        filename: request
            .query_param("filename")
            .map(|text| text.into_owned()),
        content_type: request
            .query_param("content_type")
            .map(|text| text.into_owned()),
    };
    let attachment =
        request.write(move |db, viewer| attachments::upload(db, viewer, &file, content))?;
    blobs::sync(&request.app.store, &attachment.digest)?;
    let location = format!("{}/attachments/{}", request.base_url(), attachment.id);
    Ok(Reply::object("upload", move |w: &mut quarry_wire::Fields| {
        w.field("id", attachment.id.0);
        w.field("token", attachment.token());
    })
    .created(location))
}
