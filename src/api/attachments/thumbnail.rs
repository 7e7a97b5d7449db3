//! `GET /attachments/thumbnail/:id`, `GET /attachments/thumbnail/:id/:size` (compatibility 11.4).

use crate::actions::attachments::{self, can_be_scaled, thumbnail_size};
use crate::domain::ids::AttachmentId;
use crate::http::{Error, Reply, RequestContext, ScaledImage};
use crate::store::Read;
use std::sync::Arc;

/// Sends the image as PNG, scaled down to `size` pixels on the longer side; 404 for other files, and for images that cannot be scaled.
pub fn thumbnail(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = attachments::find(db, request.viewer(), id)?;
    let content = file.content.clone().filter(|_| can_be_scaled(&file)).ok_or(Error::NotFound)?;
    let requested = match request.path_param("size") {
        "" => request.query_param("size").and_then(|size| size.parse().ok()),
        size => size.parse().ok(),
    };
    let size = thumbnail_size(requested);
    let app = Arc::clone(&request.app);
    let scale = move || attachments::thumbnail(&app.store, &file, size)?.ok_or(Error::NotFound);
    Ok(Reply::image(ScaledImage { tag: format!("{content}-{size}"), scale: Box::new(scale) }))
}
