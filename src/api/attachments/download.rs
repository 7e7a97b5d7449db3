//! `GET /attachments/download/:id`, `GET /attachments/download/:id/:filename` (compatibility 11.4).

use crate::actions::attachments;
use crate::domain::attachment::{Attachment, ContainerType};
use crate::domain::ids::AttachmentId;
use crate::domain::kind::Kind;
use crate::http::{Download, Error, Reply, RequestContext};
use crate::store::{Read, blobs};

/// Sends the content; 404 for a wrong file name, and for an attachment that was imported without
/// its content.
pub fn download(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = attachments::find(db, request.viewer(), id)?;
    let filename = request.path_param("filename");
    if !filename.is_empty() && filename != file.filename {
        return Err(Error::NotFound);
    }
    let tag = file.content.clone().ok_or(Error::NotFound)?;
    let content = blobs::open(&request.app.store, &tag)?.ok_or(Error::NotFound)?;
    if counts_downloads(&file) && !request.has_range() {
        request
            .app
            .store
            .write_later(move |db| crate::store::attachments::count_download(db, id));
    }
    Ok(Reply::file(Download {
        file: content,
        filename: file.filename,
        content_type: file.content_type,
        tag,
    }))
}

/// Whether the attachment is in the file list of a project, where downloads are counted.
fn counts_downloads(file: &Attachment) -> bool {
    let container_type = file.container.map(|container| container.container_type);
    matches!(
        container_type,
        Some(ContainerType::Version | ContainerType::Record(Kind::Project))
    )
}
