//! `DELETE /attachments/:id` (compatibility 11.4).

use crate::actions::attachments;
use crate::domain::ids::AttachmentId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::blobs;
use std::sync::Arc;

/// Deletes an attachment: 200 without a body. Its content is deleted too, unless another attachment
/// has the same.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let clock = Arc::clone(&request.app.clock);
    let file =
        request.write(move |db, viewer| attachments::delete(db, viewer, id, clock.as_ref()))?;
    if let Err(error) = blobs::delete_unused(&request.app.store, file.content.into_iter().collect())
    {
        // The attachment is deleted; a later run removes the content from the disk.
        tracing::warn!(error = %error, "the content of a deleted attachment could not be removed");
    }
    Ok(Reply::ok())
}
