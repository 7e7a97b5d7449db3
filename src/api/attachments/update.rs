//! `PUT /attachments/:id`, `PATCH /attachments/:id` (contract 9).

use super::view;
use crate::actions::attachments::{self, AttachmentChange};
use crate::domain::ids::AttachmentId;
use crate::http::{Ask, Error, Reply, Said};

/// Describes a file anew: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: AttachmentId = ask.number("id")?;
    let wanted = read(ask)?;
    let file = ask.change(move |db, viewer| attachments::change(db, viewer, id, &wanted))?;
    let (catalogue, base) = (ask.app.store.catalogue()?, ask.base());
    Ok(Reply::object("attachment", move |w| view::attachment(w, &file, &catalogue, &base)))
}

/// Reads the object `attachment`; without one there is nothing to change.
fn read(ask: &Ask) -> Result<AttachmentChange, Error> {
    let mut said = Said::of(ask, "attachment")?;
    let change = AttachmentChange {
        filename: said.text("filename", "File"),
        description: said.text("description", "Description"),
        content_type: said.text("content_type", "Content type"),
    };
    said.finish()?;
    Ok(change)
}
