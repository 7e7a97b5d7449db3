//! `GET /attachments/:id`: a file with a preview.

mod edit;
mod record;

use crate::access;
use crate::components::attachments::FileRow;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use quarry_actions::content::attachments;
use quarry_domain::ids::AttachmentId;
use quarry_store::files::blobs;
use record::FileRecord;

/// Returns the routes.
pub fn routes() -> Routes {
    edit::routes().route("/attachments/{id}", get(read_handler(show)))
}

/// Maximum size in bytes of a text that is shown.
const MAX_TEXT: i64 = 128 * 1024;

#[derive(Template)]
#[template(path = "content/attachments/show.html")]
struct AttachmentPage {
    frame: Frame,
    file: FileRow,
    text: Option<String>,
    has_content: bool,
    digest: String,
}

/// Shows the file, for a viewer who may see its record.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = access::found(request, attachments::find(db, request.viewer(), id))?;
    let text = match file
        .content
        .as_deref()
        .filter(|_| file.filesize <= MAX_TEXT && !file.is_image())
    {
        Some(digest) => text(request, db, digest)?,
        None => None,
    };
    let record = FileRecord::find(request, db, &file)?;
    let page = AttachmentPage {
        frame: record.frame(request, db, &file.filename),
        text,
        has_content: file.content.is_some(),
        file: FileRow {
            rights: attachments::find_rights(db, request.viewer(), &file)?,
            ..FileRow::new(db.catalogue(), &file)
        },
        digest: file.digest,
    };
    render(&page.frame, &page)
}

/// Returns the content if it is text.
fn text(request: &RequestContext, db: &Read<'_>, digest: &str) -> Result<Option<String>, Error> {
    let limit = usize::try_from(MAX_TEXT).unwrap_or(0);
    let Some(bytes) = blobs::load(db, &request.app.store, digest, limit)? else {
        return Ok(None);
    };
    Ok(String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace())))
}
