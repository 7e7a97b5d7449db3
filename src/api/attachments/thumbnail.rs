//! `GET /attachments/thumbnail/:id`.

use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Thumbnails are not supported: 404, as in a Redmine without an image library (compatibility 12).
pub fn thumbnail(_: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    Err(Error::NotFound)
}
