//! `GET /attachments/thumbnail/:id`, `GET /attachments/thumbnail/:id/:size` (compatibility 11.4).

use crate::actions::attachments::{self, Thumbnail};
use crate::domain::ids::AttachmentId;
use crate::domain::thumbnail::ThumbnailSize;
use crate::http::{Error, RequestContext};
use crate::store::Read;

/// Sends the image as PNG, scaled down to `size` pixels on the longer side; 404 for other files,
/// and for images that cannot be scaled.
pub fn thumbnail(request: &RequestContext, db: &Read<'_>) -> Result<Thumbnail, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = attachments::find(db, request.viewer(), id)?;
    let requested = match request.path_param("size") {
        "" => request
            .query_param("size")
            .and_then(|size| size.parse().ok()),
        size => size.parse().ok(),
    };
    Thumbnail::new(file, ThumbnailSize::new(requested)).ok_or(Error::NotFound)
}
