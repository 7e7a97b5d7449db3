//! `GET /attachments/thumbnail/:id`.

use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// Pictures are not made smaller here: 404, which clients of Redmine know from installations without an image library
/// (contract 12).
pub fn thumbnail(_: &Ask, _: &Read<'_>) -> Result<Reply, Error> {
    Err(Error::NotFound)
}
