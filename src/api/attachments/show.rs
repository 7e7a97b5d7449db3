//! `GET /attachments/:id`.

use super::view;
use crate::actions::attachments;
use crate::domain::ids::AttachmentId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, blobs};
use std::sync::Arc;

/// Returns an attachment; 403 when the viewer cannot see its record, 404 when it does not exist or
/// its content is missing.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = attachments::find(db, request.viewer(), id)?;
    let content = file.content.as_deref().ok_or(Error::NotFound)?;
    blobs::open(&request.app.store, content)?.ok_or(Error::NotFound)?;
    let catalogue = Arc::clone(db.catalogue());
    let base = request.base_url();
    Ok(Reply::object("attachment", move |w| {
        view::attachment(w, &file, &catalogue, &base)
    }))
}
