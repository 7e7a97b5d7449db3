//! `/my/picture`: the own picture.

use super::account;
use crate::accounts::users::picture;
use crate::form::save;
use crate::prelude::*;

/// `POST`: uploads a picture, or removes it (`do=remove`).
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_user()?;
    save(
        request,
        || picture::change(request, id),
        |message| Ok(("/my/account".to_owned(), message.to_owned())),
        |db, errors| account::with_picture_errors(request, db, errors),
    )
}
