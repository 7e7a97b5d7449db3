//! `GET /attachments/download/:id`, `GET /attachments/download/:id/:filename` (contract 9).

use crate::actions::attachments;
use crate::domain::attachment::{Attachment, Holder};
use crate::domain::ids::AttachmentId;
use crate::domain::kind::Kind;
use crate::http::{Ask, Download, Error, Reply};
use crate::store::{Read, contents};

/// The content; 404 under another name, and for a file that moved in without its content.
pub fn download(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = ask.number("id")?;
    let file = attachments::find(db, ask.viewer(), id)?;
    let named = ask.place("filename");
    if !named.is_empty() && named != file.filename {
        return Err(Error::NotFound);
    }
    let tag = file.content.clone().ok_or(Error::NotFound)?;
    let content = contents::open(&ask.app.store, &tag)?.ok_or(Error::NotFound)?;
    if is_released(&file) && !ask.wants_part() {
        ask.app.store.write_later(move |db| crate::store::attachments::count_download(db, id));
    }
    Ok(Reply::file(Download { file: content, filename: file.filename, content_type: file.content_type, tag }))
}

/// Whether it is one of the files of a project, whose downloads are counted.
fn is_released(file: &Attachment) -> bool {
    let holder = file.container.map(|container| container.holder);
    matches!(holder, Some(Holder::Version | Holder::Record(Kind::Project)))
}
