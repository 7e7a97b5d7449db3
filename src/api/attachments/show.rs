//! `GET /attachments/:id`.

use super::view;
use crate::actions::attachments;
use crate::domain::ids::AttachmentId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;
use std::sync::Arc;

/// The file, described; 403 where the viewer may not see the record that it hangs on, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = ask.number("id")?;
    let file = attachments::find(db, ask.viewer(), id)?;
    let (catalogue, base) = (Arc::clone(db.catalogue()), ask.base());
    Ok(Reply::object("attachment", move |w| view::attachment(w, &file, &catalogue, &base)))
}
