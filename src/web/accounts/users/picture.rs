//! `/users/:id/picture`: the picture of a user, and its change by an administrator.

use super::edit::{self, find_user};
use crate::access;
use crate::form::{field, save};
use crate::prelude::*;
use quarry_actions::accounts::pictures;
use quarry_http::InlineImage;

const SAVED: &str = "The picture was saved.";
const REMOVED: &str = "The picture was removed.";

/// `Cache-Control` of a picture whose address has its digest.
const IMMUTABLE: &str = "private, max-age=31536000, immutable";
/// `Cache-Control` of a picture at any other address.
const REVALIDATED: &str = "private, no-cache";

/// `GET`: the picture, for those who may see the user. `v` is the digest of the picture.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: UserId = request.id_param("id")?;
    let found = pictures::find(db, request.viewer(), id);
    let (content, digest) = access::found(request, found)?;
    let is_current = request.query_param("v").is_some_and(|v| v == digest);
    Ok(Reply::image(InlineImage {
        content_type: pictures::CONTENT_TYPE,
        filename: format!("user-{id}.jpg"),
        tag: digest,
        caching: if is_current { IMMUTABLE } else { REVALIDATED },
        content,
    }))
}

/// `POST`: an administrator uploads a picture of a user, or removes it (`do=remove`).
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request
        .app
        .read(|db| find_user(request, db).map(|user| user.id))?;
    save(
        request,
        || change(request, id),
        |message| Ok((paths::edit_user(id), message.to_owned())),
        |db, errors| edit::with_picture_errors(request, db, errors),
    )
}

/// Sets the picture of a user to that of the form, or removes it. Returns the message.
pub fn change(request: &RequestContext, user: UserId) -> Result<&'static str, Error> {
    if field(request, "do") == "remove" {
        request.write(move |db, viewer| pictures::delete(db, viewer, user))?;
        return Ok(REMOVED);
    }
    let picture = request.take_picture()?;
    request.write(move |db, viewer| pictures::set(db, viewer, user, &picture))?;
    Ok(SAVED)
}
