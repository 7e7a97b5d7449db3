//! `POST /uploads` (contract 9).

use crate::actions::attachments::{self, NewFile, quota};
use crate::http::{Ask, Bound, Error, Reply};
use crate::store::Read;
use crate::store::contents::{self, Whole};
use std::sync::Arc;

/// The one kind of body that is taken.
const BODY: &str = "application/octet-stream";
const WRONG_BODY: &str = "Send the content of the file as the body, with the header Content-Type: application/octet-stream";

/// Whoever is logged in may send a file. Its size is bounded by the setting `attachment_max_size`, and by what remains of the quota for
/// uploads that are not attached yet.
pub fn judge(ask: &Ask, db: &Read<'_>) -> Result<Bound, Error> {
    let user = ask.user()?;
    if ask.body_type() != BODY {
        return Err(Error::WrongBody(WRONG_BODY));
    }
    let most = attachments::largest(db.catalogue());
    let sentence = format!("This file cannot be uploaded because it exceeds the maximum allowed file size ({most})");
    let remaining = quota::remaining(db, user)?;
    let beyond = if remaining < most { quota::exceeded(db).into() } else { Error::invalid(sentence) };
    Ok(Bound { most: most.min(remaining), beyond })
}

/// Keeps a file: 201 with the token by which it is hung on a record.
pub fn create(ask: &Ask, content: Whole) -> Result<Reply, Error> {
    let said = |name: &str| ask.parameter(name).map(|text| text.into_owned());
    let file = NewFile { filename: said("filename"), content_type: said("content_type") };
    let (clock, entropy) = (Arc::clone(&ask.app.clock), Arc::clone(&ask.app.entropy));
    let kept = ask.change(move |db, viewer| attachments::upload(db, viewer, &file, content, clock.as_ref(), entropy.as_ref()))?;
    contents::sync(&ask.app.store, &kept.digest)?;
    let location = format!("{}/attachments/{}", ask.base(), kept.id);
    let describe = move |w: &mut crate::wire::Fields| {
        w.field("id", kept.id.0);
        w.field("token", kept.token());
    };
    Ok(Reply::object("upload", describe).created(location))
}
