//! `PUT /attachments/:id`, `PATCH /attachments/:id` (compatibility 11.4).

use super::view;
use crate::actions::attachments::{self, AttachmentChange};
use crate::domain::ids::AttachmentId;
use crate::http::{BodyFields, Error, Reply, RequestContext};

/// Updates the name, the description or the media type of an attachment: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let change = parse(request)?;
    let file = request.write(move |db, viewer| attachments::update(db, viewer, id, &change))?;
    let catalogue = request.app.store.catalogue()?;
    let base = request.base_url();
    Ok(Reply::object("attachment", move |w| {
        view::attachment(w, &file, &catalogue, &base)
    }))
}

/// Parses the object `attachment`; without one nothing changes.
fn parse(request: &RequestContext) -> Result<AttachmentChange, Error> {
    let mut body = BodyFields::from_body(request, "attachment")?;
    let change = AttachmentChange {
        filename: body.text("filename", "File"),
        description: body.text_or_empty("description", "Description"),
        content_type: body.text("content_type", "Content type"),
    };
    body.check()?;
    Ok(change)
}
